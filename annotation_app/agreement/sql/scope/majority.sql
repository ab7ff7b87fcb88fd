-- The patterns of items at a stage that is open for them and where they have a majority; the minority's answers are
-- kept. `settled` is what the gate rule says of each profile: {"<codebook> <majorities>": [stage, ...]}. Of `n` items
-- `n_circular` have no more answers than a majority takes: with a majority, all their answers are equal.
patterns AS (
  SELECT
    stage, round, raters, labels, sum(n)::bigint AS n,
    coalesce(sum(n) FILTER (WHERE cardinality(labels) = majority_takes), 0)::bigint AS n_circular
  FROM selected_patterns
  WHERE %(settled)s::jsonb -> concat_ws(' ', codebook, majorities) ? stage
  GROUP BY stage, round, raters, labels
)
