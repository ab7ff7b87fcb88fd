-- Patterns of items with a majority at the stage, beside the majority's label; those with a label that counts as
-- ambiguous are left out. Of `n_circular` items everyone's answer had to be the majority's (patterns_majority.sql).
SELECT
  v.round, c.raters, c.labels, c.gold, sum(c.n)::bigint AS n,
  coalesce(sum(c.n) FILTER (WHERE cardinality(c.labels) = c.majority_takes), 0)::bigint AS n_circular
FROM (
  SELECT round, raters, labels, n, majority_takes, majorities::jsonb ->> stage AS gold
  FROM chosen
  WHERE %(settled)s::jsonb -> concat_ws(' ', codebook, majorities) ? stage
) AS c
CROSS JOIN LATERAL (VALUES (c.round), (0)) AS v(round)
WHERE v.round = %(round)s AND c.gold <> ALL(%(ambiguous)s::text[])
GROUP BY v.round, c.raters, c.labels, c.gold
