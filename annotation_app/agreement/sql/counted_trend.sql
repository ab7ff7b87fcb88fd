-- As counted_kept, of the batches that are named, at one stage, without pairs. The batch stands in the round's place: a
-- prototype batch may have the number of a round.
SELECT stage, batch_id AS round, a, b, labels, n, 0 AS n_circular
FROM annotation_app_answerbag
WHERE batch_id = ANY(%(batches)s::bigint[]) AND n > 0 AND stage = %(stage)s AND b = 0
