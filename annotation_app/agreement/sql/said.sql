-- On how many items each rater gave a label, by stage and round, or in one of these. Round 0 is all rounds together.
SELECT p.stage, v.round, x.rater, x.label, sum(p.n)::bigint AS n
FROM patterns p
CROSS JOIN LATERAL unnest(p.raters, p.labels) AS x(rater, label)
CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
WHERE (%(round)s::int IS NULL OR v.round = %(round)s)
GROUP BY p.stage, v.round, x.rater, x.label
