-- Ranges that both of a pair marked with the same category: any two people who submitted an item are a pair. Spans are
-- matched one to one, so that the rarer side counts.
SELECT
  x.unit, x.round, x.rater AS a, y.rater AS b, x.category,
  least(x.n, y.n) AS n, x.comments AS comments_a, y.comments AS comments_b
FROM spans_ranges x
JOIN spans_ranges y ON y.unit = x.unit AND y.category = x.category AND y.low = x.low AND y.high = x.high
WHERE x.rater < y.rater
