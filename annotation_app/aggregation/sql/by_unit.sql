-- One row for each item in a batch that has an answer: its majority label by stage, and [stage, label, n] for
-- every label given. Which of the stages are open for these majorities is the codebook's rule, not this one's.
SELECT
  unit,
  coalesce(jsonb_object_agg(stage, label) FILTER (WHERE is_majority), '{}') AS majorities,
  jsonb_agg(jsonb_build_array(stage, label, n)) AS votes
FROM tallies
GROUP BY unit
