-- The categories that each version of the codebook has, by number from 1: 0 stands for all of them.
spans_known AS (
  SELECT codebook, category, key
  FROM jsonb_to_recordset(%(categories)s::jsonb) AS k(codebook bigint, category int, key text)
),

-- Items that two or more people submitted, and whose batch's codebook has a span layer. `raters` is who did.
spans_compared AS (
  SELECT
    s.unit, b.number AS round, i.rank, b.codebook_id AS codebook, item.text, length(item.text) AS length,
    array_agg(s.rater ORDER BY s.rater) AS raters
  FROM submitted s
  JOIN annotation_app_batch b ON b.id = s.batch
  JOIN rules.data_item i ON i.id = s.unit
  JOIN annotation_app_item item ON item.id = i.item_id
  WHERE b.codebook_id IN (SELECT codebook FROM spans_known)
  GROUP BY s.unit, b.number, i.rank, b.codebook_id, item.id
  HAVING count(*) > 1
),

-- Each pair of people who submitted an item; a is the one with the lower number.
spans_pairs AS (
  SELECT c.unit, c.round, c.codebook, x.rater AS a, y.rater AS b
  FROM spans_compared c
  CROSS JOIN LATERAL unnest(c.raters) AS x(rater)
  CROSS JOIN LATERAL unnest(c.raters) AS y(rater)
  WHERE x.rater < y.rater
),

-- What was marked in the items compared: `n` spans of a category on exactly this range by this person, with comments.
spans_ranges AS (
  SELECT
    s.unit, c.round, s.rater, k.category, m.start AS low, m."end" AS high, count(*) AS n,
    array_agg(m.comment ORDER BY m.comment COLLATE "C") AS comments
  FROM submitted s
  JOIN spans_compared c ON c.unit = s.unit
  JOIN annotation_app_span m ON m.annotation_id = s.annotation
  JOIN spans_known k ON k.codebook = c.codebook AND k.key = m.category
  GROUP BY s.unit, c.round, s.rater, k.category, m.start, m."end"
),

-- Ranges that both of a pair marked with the same category: any two people who submitted an item are a pair. Spans are
-- matched one to one, so that the rarer side counts.
spans_matched AS (
  SELECT
    x.unit, x.round, x.rater AS a, y.rater AS b, x.category,
    least(x.n, y.n) AS n, x.comments AS comments_a, y.comments AS comments_b
  FROM spans_ranges x
  JOIN spans_ranges y ON y.unit = x.unit AND y.category = x.category AND y.low = x.low AND y.high = x.high
  WHERE x.rater < y.rater
),

-- The comments of exactly matched spans, side by side. Where several spans stand on one range, equal comments are
-- matched first, then the rest in the order of their code points.
spans_comments AS (
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
),

-- By item, person and category: the number of spans, the code points that they cover, and their starts and ends as two
-- arrays in the order of the starts.
spans_marked AS (
  SELECT
    unit, rater, category, sum(n) AS n, range_agg(int4range(low, high)) AS covered,
    array_agg(low ORDER BY low, high) AS lows, array_agg(high ORDER BY low, high) AS highs
  FROM spans_ranges
  GROUP BY unit, rater, category
),

-- What the pairs are compared in: a category (0 is all of them) in a round (0 is all of them). n_items: items that both
-- submitted and whose codebook has the category. n_a, n_b: the spans that each of the two marked in them.
spans_slices AS (
  SELECT
    coalesce(k.category, 0) AS category, coalesce(p.round, 0) AS round, p.a, p.b,
    count(DISTINCT p.unit) AS n_items, coalesce(sum(x.n), 0) AS n_a, coalesce(sum(y.n), 0) AS n_b
  FROM spans_pairs p
  JOIN spans_known k ON k.codebook = p.codebook
  LEFT JOIN spans_marked x ON x.unit = p.unit AND x.rater = p.a AND x.category = k.category
  LEFT JOIN spans_marked y ON y.unit = p.unit AND y.rater = p.b AND y.category = k.category
  GROUP BY GROUPING SETS ((k.category, p.round, p.a, p.b), (k.category, p.a, p.b), (p.round, p.a, p.b), (p.a, p.b))
),

-- Items that two or more people submitted and whose codebook has the category.
spans_items AS (
  SELECT coalesce(k.category, 0) AS category, coalesce(c.round, 0) AS round, count(DISTINCT c.unit) AS n_items
  FROM spans_compared c
  JOIN spans_known k ON k.codebook = c.codebook
  GROUP BY GROUPING SETS ((k.category, c.round), (k.category), (c.round), ())
  HAVING count(*) > 0
),

-- Each pair both ways round: `rater` against `other`.
spans_sides AS (
  SELECT p.unit, p.round, p.a, p.b, s.rater, s.other
  FROM spans_pairs p
  CROSS JOIN LATERAL (VALUES (p.a, p.b), (p.b, p.a)) AS s(rater, other)
)
