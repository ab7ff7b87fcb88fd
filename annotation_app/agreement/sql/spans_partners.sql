-- Of each person's spans, by pair: how many have a partner, a span of the same category by the other one. Many may share
-- one partner. `touched`: one that shares a code point; `close`: one whose intersection over union is at least `iou`.
SELECT
  coalesce(f.category, '') AS category, coalesce(f.round, 0) AS round, f.a, f.b,
  sum(f.n) FILTER (WHERE f.of_a AND f.touched) AS touched_a,
  sum(f.n) FILTER (WHERE NOT f.of_a AND f.touched) AS touched_b,
  sum(f.n) FILTER (WHERE f.of_a AND f.close) AS close_a,
  sum(f.n) FILTER (WHERE NOT f.of_a AND f.close) AS close_b
FROM (
  SELECT
    s.round, s.a, s.b, s.rater = s.a AS of_a, x.category, x.n,
    coalesce(int4range(x.low, x.high) && o.covered, false) AS touched,
    c.unit IS NOT NULL AS close
  FROM spans_sides s
  JOIN spans_ranges x ON x.unit = s.unit AND x.rater = s.rater
  LEFT JOIN spans_marked o ON o.unit = s.unit AND o.rater = s.other AND o.category = x.category
  LEFT JOIN spans_close c
    ON c.unit = s.unit AND c.rater = s.rater AND c.other = s.other
    AND c.category = x.category AND c.low = x.low AND c.high = x.high
) AS f
GROUP BY GROUPING SETS ((f.category, f.round, f.a, f.b), (f.category, f.a, f.b), (f.round, f.a, f.b), (f.a, f.b))
