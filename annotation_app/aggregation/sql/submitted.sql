-- The annotations that count, for agreement as for majority: the current revision of every submitted assignment of the
-- rounds' batches, or of the batches that are named, of whatever kind. Skipped, withdrawn and surplus assignments give
-- none. Whether a person is still active plays no part. Who only adjudicates is no rater; an annotator who became an
-- adjudicator stays a rater of the rounds that named them, and of the prototype batch, where whoever has an assignment
-- was named.
SELECT i.id AS unit, b.id AS batch, m.number AS rater, a.current_id AS annotation
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_membership m ON m.id = a.annotator_id
WHERE b.project_id = %(project)s
  AND CASE WHEN %(batches)s::bigint[] IS NULL THEN b.kind = 'round' ELSE b.id = ANY(%(batches)s::bigint[]) END
  AND a.state = 'submitted'
  AND (
    m.role <> 'adjudicator'
    OR b.kind = 'prototype'
    OR EXISTS (
      SELECT FROM annotation_app_round_annotators r WHERE r.round_id = b.round_id AND r.membership_id = m.id
    )
  )
