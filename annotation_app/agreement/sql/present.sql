-- On how many items each rater answered, by stage and round. Round 0 is all rounds together.
SELECT p.stage, v.round, x.rater, sum(p.n) AS n
FROM patterns p
CROSS JOIN LATERAL unnest(p.raters) AS x(rater)
CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
GROUP BY p.stage, v.round, x.rater
