-- Items that two or more people submitted and whose codebook has the category.
SELECT coalesce(k.category, 0) AS category, coalesce(c.round, 0) AS round, count(DISTINCT c.unit) AS n_items
FROM spans_compared c
JOIN spans_known k ON k.codebook = c.codebook
GROUP BY GROUPING SETS ((k.category, c.round), (k.category), (c.round), ())
HAVING count(*) > 0
