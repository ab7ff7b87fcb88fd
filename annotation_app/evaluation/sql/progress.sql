-- What the systems of evaluations have predicted so far, and what the answers of language models took.
SELECT
  evaluation_id, system, count(*) AS answered, count(*) FILTER (WHERE problem = 'refused') AS refused,
  count(*) FILTER (WHERE label IS NULL) AS not_compliant,
  coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out
FROM annotation_app_prediction
WHERE evaluation_id = ANY(%(evaluations)s)
GROUP BY evaluation_id, system
