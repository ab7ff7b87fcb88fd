-- The patterns of all items: `n` items of a round have these answers.
patterns AS (
  SELECT stage, round, raters, labels, sum(n)::bigint AS n, 0 AS n_circular FROM selected_patterns GROUP BY stage, round, raters, labels
)
