-- The comments of exactly matched spans, side by side. Where several spans stand on one range, equal comments are
-- matched first, then the rest in the order of their code points.
SELECT unit, round, a, b, category, comments_a[1] AS comment_a, comments_b[1] AS comment_b
FROM spans_matched
WHERE cardinality(comments_a) = 1 AND cardinality(comments_b) = 1
UNION ALL
SELECT m.unit, m.round, m.a, m.b, m.category, p.one, p.other
FROM spans_matched m
CROSS JOIN LATERAL (
  WITH met AS (
    SELECT x.comment AS one, y.comment AS other
    FROM (SELECT c AS comment, row_number() OVER (PARTITION BY c) AS turn FROM unnest(m.comments_a) AS u(c)) AS x
    FULL JOIN (SELECT c AS comment, row_number() OVER (PARTITION BY c) AS turn FROM unnest(m.comments_b) AS u(c)) AS y
      USING (comment, turn)
  )
  SELECT one, other FROM met WHERE one = other
  UNION ALL
  SELECT x.one, y.other
  FROM (SELECT one, row_number() OVER (ORDER BY one COLLATE "C") AS turn FROM met WHERE other IS NULL) AS x
  JOIN (SELECT other, row_number() OVER (ORDER BY other COLLATE "C") AS turn FROM met WHERE one IS NULL) AS y USING (turn)
) AS p
WHERE cardinality(m.comments_a) > 1 OR cardinality(m.comments_b) > 1
