-- Tokens of the items that both of a pair submitted: all of them, those that each marked, those that both did.
SELECT
  k.category, coalesce(p.round, 0) AS round, p.a, p.b,
  sum(t.n) AS n, coalesce(sum(x.n), 0) AS t_a, coalesce(sum(y.n), 0) AS t_b,
  coalesce(sum((SELECT sum(upper(r) - lower(r)) FROM unnest(x.tokens * y.tokens) AS r)), 0) AS t_ab
FROM spans_pairs p
JOIN spans_known k ON k.codebook = p.codebook
JOIN spans_tokens t ON t.unit = p.unit
LEFT JOIN spans_touched x ON x.unit = p.unit AND x.rater = p.a AND x.category = k.category
LEFT JOIN spans_touched y ON y.unit = p.unit AND y.rater = p.b AND y.category = k.category
GROUP BY GROUPING SETS ((k.category, p.round, p.a, p.b), (k.category, p.a, p.b))
