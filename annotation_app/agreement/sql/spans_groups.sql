-- Whose units alpha_u compares: each pair, and everyone (a = b = 0) who submitted in the round. A single round is all
-- rounds, and is not counted twice.
SELECT *
FROM (
  SELECT round, a, b, ARRAY[a, b] AS raters FROM (SELECT DISTINCT v.round, v.a, v.b FROM spans_views v) AS pairs
  UNION ALL
  SELECT coalesce(c.round, 0), 0, 0, array_agg(DISTINCT r.rater)
  FROM spans_compared c
  CROSS JOIN LATERAL unnest(c.raters) AS r(rater)
  GROUP BY GROUPING SETS ((c.round), ())
  HAVING count(*) > 0
) AS listed
WHERE round = 0 OR (SELECT count(DISTINCT round) FROM spans_compared) > 1
