-- Observed disagreement of a category: the squared differences of all ordered pairs of the group, over m (m - 1) L^2.
SELECT t.category, t.round, t.a, t.b, 2 * sum(d.difference) / (z.m * (z.m - 1) * z.length * z.length) AS disagreement
FROM spans_continua t
JOIN spans_sizes z USING (category, round, a, b)
JOIN spans_differences d ON d.unit = t.unit AND d.category = t.category AND d.a = ANY(z.raters) AND d.b = ANY(z.raters)
GROUP BY t.category, t.round, t.a, t.b, z.m, z.length
