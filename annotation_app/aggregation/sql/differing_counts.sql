SELECT batch, count(*) FROM differing GROUP BY batch
