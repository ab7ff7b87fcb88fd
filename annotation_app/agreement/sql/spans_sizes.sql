-- The length of each continuum in code points, and the items in it.
SELECT t.category, t.round, t.a, t.b, g.raters, cardinality(g.raters) AS m, count(*) AS n_items, sum(t.length) AS length
FROM spans_continua t
JOIN spans_groups g USING (round, a, b)
GROUP BY t.category, t.round, t.a, t.b, g.raters
