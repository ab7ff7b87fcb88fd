-- Bags by round, from patterns.
SELECT stage, round, a, b, given AS labels, sum(n)::bigint AS n FROM expanded GROUP BY stage, round, a, b, given
