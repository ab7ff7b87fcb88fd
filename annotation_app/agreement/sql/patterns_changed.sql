-- Patterns whose count has changed since it was put into the bags, by batch. `settled` and circular as
-- in patterns_majority.sql.
SELECT
  p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.n - p.n_bagged AS n,
  s.is_settled, s.is_settled AND cardinality(p.labels) = b.annotators_per_item / 2 + 1 AS is_circular
FROM annotation_app_answerpattern p
JOIN annotation_app_batch b ON b.id = p.batch_id
CROSS JOIN LATERAL (
  SELECT coalesce(%(settled)s::jsonb -> concat_ws(' ', b.codebook_id, p.majorities) ? p.stage, false) AS is_settled
) AS s
WHERE p.batch_id = ANY(ARRAY(SELECT id FROM annotation_app_batch WHERE project_id = %(project)s)) AND p.n <> p.n_bagged
LIMIT %(at_once)s
