-- Each pair of people who submitted an item; a is the one with the lower number.
SELECT c.unit, c.round, c.codebook, x.rater AS a, y.rater AS b
FROM spans_compared c
CROSS JOIN LATERAL unnest(c.raters) AS x(rater)
CROSS JOIN LATERAL unnest(c.raters) AS y(rater)
WHERE x.rater < y.rater
