-- One row for each item in a batch that has an answer: {stage: majority label} and {stage: {label: n}}. Which of the
-- stages are open for these majorities is the codebook's rule, not this one's.
SELECT
  f.unit,
  coalesce(jsonb_object_agg(f.stage, v.majority) FILTER (WHERE v.majority IS NOT NULL), '{}') AS majorities,
  jsonb_object_agg(f.stage, v.votes) AS votes
FROM folded f
JOIN verdicts v ON v.batch = f.batch AND v.stage = f.stage AND v.labels = f.labels
GROUP BY f.unit
