-- How often each label stands in a bag.
SELECT b.view, b.bag, l.label, count(*)::float8 AS k
FROM bags b
CROSS JOIN LATERAL unnest(b.labels) AS l(label)
GROUP BY b.view, b.bag, l.label
