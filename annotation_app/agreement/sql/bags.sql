-- The labels given to an item by the people under view, with the number `n` of items where it was so. A pair's bag is
-- [a's label, b's label], everyone's is sorted. `m` is the number of answers in the bag, `same` the sum of squares of the
-- label counts in it. Complete bags hold an answer of everyone under view.
SELECT
  row_number() OVER () AS bag,
  b.view, b.labels, b.n::float8 AS n, cardinality(b.labels)::float8 AS m,
  (SELECT sum(c * c)::float8 FROM (SELECT count(*) AS c FROM unnest(b.labels) AS l GROUP BY l) AS counts) AS same,
  cardinality(b.labels) = cardinality(p.raters) AS complete
FROM (
  SELECT
    concat_ws('/', p.stage, v.round, 0, 0) AS view,
    ARRAY(SELECT l FROM unnest(p.labels) AS l ORDER BY l) AS labels,
    sum(p.n) AS n
  FROM patterns p
  CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
  WHERE %(of)s <> 'pairs' AND (%(round)s::int IS NULL OR v.round = %(round)s)
  GROUP BY 1, 2
  UNION ALL
  SELECT view, labels, n FROM joint
  UNION ALL
  SELECT view, ARRAY[label], n FROM alone
) AS b
JOIN people p ON p.view = b.view
