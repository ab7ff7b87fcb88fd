-- Sizes of each view. n_items: items with an answer from someone under view (a pair's bags hold only the items that
-- both answered). n_units: items with two or more. n_complete: items answered by everyone under view. `reason` is why
-- no statistic has a value here.
SELECT
  *,
  CASE
    WHEN n_items = 0 THEN 'no answers'
    WHEN n_raters < 2 THEN 'fewer than two raters'
    WHEN n_units = 0 THEN 'no unit with two answers'
  END AS reason
FROM (
  SELECT
    p.stage, p.round, p.a, p.b, p.raters, cardinality(p.raters) AS n_raters,
    coalesce(CASE WHEN p.a = 0 THEN sum(g.n) ELSE p.n_answers - coalesce(sum(g.n), 0) END, 0) AS n_items,
    coalesce(sum(g.n) FILTER (WHERE g.m >= 2), 0) AS n_units,
    coalesce(sum(g.n) FILTER (WHERE g.m >= 2 AND g.m = cardinality(p.raters)), 0) AS n_complete
  FROM people p
  LEFT JOIN bags g ON g.stage = p.stage AND g.round = p.round AND g.a = p.a AND g.b = p.b
  GROUP BY p.stage, p.round, p.a, p.b, p.raters, p.n_answers
) AS sized
