-- F1 of exact matches: the same start, end and category, one to one. With m of them among a's n_a and b's n_b spans,
--   F1 = 2 m / (n_a + n_b),
-- which is the same whichever of the two is taken for the truth (Hripcsak and Rothschild 2005). Where only one of the
-- two marked anything it is 0; where neither did it has no value.
spans_exact_f1 AS (
  SELECT
    v.category, v.round, v.a, v.b, 'exact_f1' AS statistic,
    v.n_a + v.n_b AS n,
    2 * coalesce(m.matched, 0)::float8 / nullif(v.n_a + v.n_b, 0)::float8 AS value,
    CASE WHEN v.n_a + v.n_b = 0 THEN 'neither marked it' END AS reason
  FROM spans_slices v
  LEFT JOIN (
    SELECT coalesce(category, 0) AS category, coalesce(round, 0) AS round, a, b, sum(n) AS matched
    FROM spans_matched
    GROUP BY GROUPING SETS ((category, round, a, b), (category, a, b), (round, a, b), (a, b))
  ) AS m USING (category, round, a, b)
)
