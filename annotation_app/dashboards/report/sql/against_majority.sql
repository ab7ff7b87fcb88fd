-- Who answered what where the items came to what, from the counts of agreement: identical answers beside identical
-- majorities are counted once.
SELECT c.codebook, c.majorities::text, c.stage, x.rater, x.label, sum(c.n)::bigint AS n
FROM chosen c
CROSS JOIN LATERAL unnest(c.raters, c.labels) AS x(rater, label)
GROUP BY c.codebook, c.majorities, c.stage, x.rater, x.label
