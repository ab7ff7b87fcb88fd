-- Bags by round, from patterns.
SELECT stage, round, a, b, given AS labels, sum(n)::bigint AS n, sum(n_circular)::bigint AS n_circular
FROM expanded
GROUP BY stage, round, a, b, given
