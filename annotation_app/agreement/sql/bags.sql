-- The labels given to an item by the people under view, with the number `n` of items where it was so. Views are named
-- stage/round/a/b: round 0 is all rounds together, a = b = 0 is everyone. A pair's bag is [a's label, b's label];
-- everyone's is sorted. `m` is the number of answers in the bag, `same` the sum of squares of the label counts in it.
SELECT
  view, labels, n, cardinality(labels) AS m,
  (SELECT sum(c * c) FROM (SELECT count(*) AS c FROM unnest(labels) AS l GROUP BY l) AS counts) AS same
FROM (
  SELECT
    concat_ws('/', p.stage, v.round, 0, 0) AS view,
    ARRAY(SELECT l FROM unnest(p.labels) AS l ORDER BY l) AS labels,
    sum(p.n) AS n
  FROM patterns p
  CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
  GROUP BY 1, 2
  UNION ALL
  SELECT concat_ws('/', p.stage, v.round, x.rater, y.rater), ARRAY[x.label, y.label], sum(p.n)
  FROM patterns p
  CROSS JOIN LATERAL unnest(p.raters, p.labels) AS x(rater, label)
  CROSS JOIN LATERAL unnest(p.raters, p.labels) AS y(rater, label)
  CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
  WHERE x.rater < y.rater
  GROUP BY 1, 2
) AS counted
