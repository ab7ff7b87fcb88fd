-- How many spans fewer there are in a continuum once overlapping ones are merged.
SELECT t.category, t.round, t.a, t.b, sum(m.n - 1) AS n_merged
FROM spans_continua t
JOIN spans_groups g USING (round, a, b)
JOIN spans_merged m ON m.unit = t.unit AND m.category = t.category AND m.rater = ANY(g.raters)
GROUP BY t.category, t.round, t.a, t.b
