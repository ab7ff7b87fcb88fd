-- Each person beside the others, as bags of two answers to one item: the person's and another's. The pairs of an item
-- weigh one item together, so that an item with more answers weighs no more. The person's number stands in the round's
-- place; the slice of each has two raters, the person (1) and the others (2).
answer_pairs AS (
  SELECT
    p.stage, x.rater, x.label AS own, o.label AS other,
    sum(p.n::float8 / (cardinality(p.labels) - 1)) AS n
  FROM patterns p
  CROSS JOIN LATERAL unnest(p.raters, p.labels) AS x(rater, label)
  CROSS JOIN LATERAL unnest(p.raters, p.labels) AS o(rater, label)
  WHERE o.rater <> x.rater
  GROUP BY p.stage, x.rater, x.label, o.label
),

round_bags AS (
  SELECT
    c.stage, c.rater AS round, v.a, 0 AS b, v.labels, sum(c.n) AS n, 0 AS n_circular
  FROM answer_pairs c
  CROSS JOIN LATERAL (
    VALUES (0, ARRAY[least(c.own, c.other), greatest(c.own, c.other)]), (1, ARRAY[c.own]), (2, ARRAY[c.other])
  ) AS v(a, labels)
  GROUP BY c.stage, c.rater, v.a, v.labels
)
