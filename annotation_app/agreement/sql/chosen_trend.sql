-- The patterns of the batches that are named, at one stage. The batch stands in the round's place: a prototype batch may
-- have the number of a round.
SELECT p.stage, p.batch_id AS round, b.codebook_id AS codebook, p.majorities, p.raters, p.labels, p.n
FROM annotation_app_answerpattern p
JOIN annotation_app_batch b ON b.id = p.batch_id
WHERE p.batch_id = ANY(%(batches)s::bigint[]) AND p.n > 0 AND p.stage = %(stage)s
