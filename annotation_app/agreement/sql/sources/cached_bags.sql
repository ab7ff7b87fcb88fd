-- The stored label combinations of the rounds' batches, of all stages or of one; in the scope of majorities, of items with an
-- aggregated label.
round_bags AS (
  SELECT
    k.stage, b.number AS round, k.a, k.b, k.labels,
    CASE %(scope)s WHEN 'all' THEN k.n ELSE k.n_settled END AS n,
    CASE %(scope)s WHEN 'all' THEN 0 ELSE k.n_circular END AS n_circular
  FROM annotation_app_labelcombination k
  JOIN annotation_app_batch b ON b.id = k.batch_id
  WHERE k.batch_id = ANY(ARRAY(
      SELECT id FROM rules.round_batch
      WHERE project_id = %(project)s
        AND (%(rounds)s::bigint[] IS NULL OR 0 = ANY(%(rounds)s) OR number = ANY(%(rounds)s))
    ))
    AND CASE %(scope)s WHEN 'all' THEN k.n ELSE k.n_settled END > 0
    AND (%(stage)s::text IS NULL OR k.stage = %(stage)s)
    AND (k.b = 0 OR (%(of)s <> 'everyone' AND (%(pair)s::int[] IS NULL OR ARRAY[k.a, k.b] = %(pair)s)))
)
