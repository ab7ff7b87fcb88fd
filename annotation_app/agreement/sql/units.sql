-- The bags that hold something to compare; complete ones hold an answer of everyone under view.
SELECT g.view, g.labels, g.n, g.m, g.same, g.m = cardinality(p.raters) AS complete
FROM bags g
JOIN people p ON p.view = g.view
WHERE g.m >= 2
