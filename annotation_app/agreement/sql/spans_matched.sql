-- Ranges that both of a pair marked with the same category. Spans are matched one to one, so that the rarer side counts.
SELECT
  p.unit, p.round, p.a, p.b, x.category, x.low, x.high,
  least(x.n, y.n) AS n, x.comments AS comments_a, y.comments AS comments_b
FROM spans_pairs p
JOIN spans_ranges x ON x.unit = p.unit AND x.rater = p.a
JOIN spans_ranges y
  ON y.unit = p.unit AND y.rater = p.b AND y.category = x.category AND y.low = x.low AND y.high = x.high
