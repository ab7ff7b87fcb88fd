-- Who answered what where the items came to what, from the counts of agreement: identical answers beside identical
-- majorities are counted once. `is_circular` items have no more answers than a majority takes.
SELECT c.codebook, c.majorities::text, c.stage, x.rater, x.label, c.is_circular, sum(c.n)::bigint AS n
FROM (SELECT *, cardinality(labels) = majority_takes AS is_circular FROM selected_patterns) AS c
CROSS JOIN LATERAL unnest(c.raters, c.labels) AS x(rater, label)
GROUP BY c.codebook, c.majorities, c.stage, x.rater, x.label, c.is_circular
