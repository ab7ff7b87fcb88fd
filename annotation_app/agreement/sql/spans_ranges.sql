-- What was marked in the items compared: `n` spans of a category on exactly this range by this person, with comments.
SELECT
  s.unit, c.round, s.rater, k.category, m.start AS low, m."end" AS high, count(*) AS n,
  array_agg(m.comment ORDER BY m.comment COLLATE "C") AS comments
FROM submitted s
JOIN spans_compared c ON c.unit = s.unit
JOIN annotation_app_span m ON m.annotation_id = s.annotation
JOIN spans_known k ON k.codebook = c.codebook AND k.key = m.category
GROUP BY s.unit, c.round, s.rater, k.category, m.start, m."end"
