-- Of each person's spans, by pair: how many have a partner, a span of the same category by the other one. Many may share
-- one partner. `touched`: one that shares a code point; `close`: one whose intersection over union is at least `iou`.
-- Such a one starts at most (1 - iou) lengths behind and (1 - iou) / iou lengths before: width_bucket finds these by
-- halving, a code point more on either side.
SELECT
  coalesce(f.category, 0) AS category, coalesce(f.round, 0) AS round, f.a, f.b,
  sum(f.n) FILTER (WHERE f.of_a AND f.touched) AS touched_a,
  sum(f.n) FILTER (WHERE NOT f.of_a AND f.touched) AS touched_b,
  sum(f.n) FILTER (WHERE f.of_a AND f.close) AS close_a,
  sum(f.n) FILTER (WHERE NOT f.of_a AND f.close) AS close_b
FROM (
  SELECT
    s.round, s.a, s.b, s.rater = s.a AS of_a, x.category, x.n,
    int4range(x.low, x.high) && o.covered AS touched,
    EXISTS (
      SELECT
      FROM generate_series(
        width_bucket(floor(x.low - (x.high - x.low) * (1 - t.iou) / t.iou)::int - 2, o.lows) + 1,
        width_bucket(ceil(x.low + (x.high - x.low) * (1 - t.iou))::int + 1, o.lows)
      ) AS i
      WHERE (least(x.high, o.highs[i]) - greatest(x.low, o.lows[i]))::float8
        / (greatest(x.high, o.highs[i]) - least(x.low, o.lows[i])) >= t.iou
    ) AS close
  FROM spans_sides s
  JOIN spans_ranges x ON x.unit = s.unit AND x.rater = s.rater
  JOIN spans_marked o ON o.unit = s.unit AND o.rater = s.other AND o.category = x.category
  CROSS JOIN (SELECT %(iou)s::float8 AS iou) AS t
) AS f
GROUP BY GROUPING SETS ((f.category, f.round, f.a, f.b), (f.category, f.a, f.b), (f.round, f.a, f.b), (f.a, f.b))
