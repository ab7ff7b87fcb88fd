-- What the pairs are compared in: a category (0 is all of them) in a round (0 is all of them). n_items: items that both
-- submitted and whose codebook has the category. n_a, n_b: the spans that each of the two marked in them.
SELECT
  coalesce(k.category, 0) AS category, coalesce(p.round, 0) AS round, p.a, p.b,
  count(DISTINCT p.unit) AS n_items, coalesce(sum(x.n), 0) AS n_a, coalesce(sum(y.n), 0) AS n_b
FROM spans_pairs p
JOIN spans_known k ON k.codebook = p.codebook
LEFT JOIN spans_marked x ON x.unit = p.unit AND x.rater = p.a AND x.category = k.category
LEFT JOIN spans_marked y ON y.unit = p.unit AND y.rater = p.b AND y.category = k.category
GROUP BY GROUPING SETS ((k.category, p.round, p.a, p.b), (k.category, p.a, p.b), (p.round, p.a, p.b), (p.a, p.b))
