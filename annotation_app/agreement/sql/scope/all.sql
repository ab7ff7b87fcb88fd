-- Identical answers are counted once: `n` items of a round have this pattern. Everything below works on these rows.
patterns AS (
  SELECT stage, round, raters, labels, sum(n)::bigint AS n, 0 AS n_circular FROM chosen GROUP BY stage, round, raters, labels
)
