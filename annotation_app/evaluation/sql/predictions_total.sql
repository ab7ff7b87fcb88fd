-- How many predictions are asked for.
SELECT count(*) FROM filtered
