-- The labels given to an item by the people under view, with the number `n` of items where it was so. A pair's bag is
-- [a's label, b's label], everyone's is sorted. `m` is the number of answers in the bag, `same` the sum of squares of the
-- label counts in it. Complete bags hold an answer of everyone under view. Of `n_circular` items all answers had to be equal.
SELECT
  row_number() OVER () AS bag,
  b.view, b.labels, b.n, b.n_circular, cardinality(b.labels)::float8 AS m,
  (SELECT sum(c * c)::float8 FROM (SELECT count(*) AS c FROM unnest(b.labels) AS l GROUP BY l) AS counts) AS same,
  cardinality(b.labels) = cardinality(p.raters) AS complete
FROM (
  SELECT view, labels, n, n_circular FROM joint
  UNION ALL
  SELECT view, ARRAY[label], n, 0 FROM alone
) AS b
JOIN people p ON p.view = b.view
