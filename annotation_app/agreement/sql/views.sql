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
    p.view, p.stage, p.round, p.a, p.b, p.raters, cardinality(p.raters) AS n_raters,
    CASE WHEN p.a = 0 THEN coalesce(g.n, 0) ELSE p.n_answers - coalesce(g.n, 0) END AS n_items,
    coalesce(u.n, 0) AS n_units,
    coalesce(u.n_complete, 0) AS n_complete
  FROM people p
  LEFT JOIN (SELECT view, sum(n) AS n FROM bags GROUP BY view) AS g ON g.view = p.view
  LEFT JOIN (
    SELECT view, sum(n) AS n, sum(n) FILTER (WHERE complete) AS n_complete FROM units GROUP BY view
  ) AS u ON u.view = p.view
) AS sized
