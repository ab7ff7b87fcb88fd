-- The same with all rounds together, which is round 0; all of it, or the rounds that are asked for.
SELECT c.stage, v.round, c.a, c.b, c.labels, sum(c.n::float8) AS n, sum(c.n_circular::float8) AS n_circular
FROM counted c
CROSS JOIN LATERAL (VALUES (c.round), (0)) AS v(round)
WHERE %(rounds)s::bigint[] IS NULL OR v.round = ANY(%(rounds)s)
GROUP BY c.stage, v.round, c.a, c.b, c.labels
