SELECT state, count(*) FROM standing GROUP BY state
