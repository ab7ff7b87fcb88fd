-- Everyone who answered at a stage in a round, as one view; no pairs, and no view of all rounds together.
SELECT
  concat_ws('/', p.stage, p.round, 0, 0) AS view, p.stage, p.round, 0 AS a, 0 AS b,
  array_agg(DISTINCT x.rater ORDER BY x.rater) AS raters
FROM patterns p
CROSS JOIN LATERAL unnest(p.raters) AS x(rater)
GROUP BY p.stage, p.round
