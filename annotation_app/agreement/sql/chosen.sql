-- The patterns of the rounds' batches, or of the batches that are named, of whatever kind; of all stages, or of one.
-- `majority_takes` is the least number of equal answers that are a majority.
SELECT p.stage, b.number AS round, b.codebook_id AS codebook, p.majorities, p.raters, p.labels, p.n,
  b.annotators_per_item / 2 + 1 AS majority_takes
FROM annotation_app_answerpattern p
JOIN annotation_app_batch b ON b.id = p.batch_id
WHERE b.project_id = %(project)s AND p.n > 0 AND (%(stage)s::text IS NULL OR p.stage = %(stage)s)
  AND CASE WHEN %(batches)s::bigint[] IS NULL THEN b.kind = 'round' ELSE b.id = ANY(%(batches)s::bigint[]) END
