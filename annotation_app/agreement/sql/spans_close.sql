-- Spans with a partner whose intersection over union is at least `iou`.
SELECT DISTINCT s.unit, s.rater, s.other, x.category, x.low, x.high
FROM spans_sides s
JOIN spans_ranges x ON x.unit = s.unit AND x.rater = s.rater
JOIN spans_ranges y ON y.unit = s.unit AND y.rater = s.other AND y.category = x.category
WHERE y.low < x.high AND x.low < y.high
  AND (least(x.high, y.high) - greatest(x.low, y.low))::float8 / (greatest(x.high, y.high) - least(x.low, y.low))
    >= %(iou)s::float8
