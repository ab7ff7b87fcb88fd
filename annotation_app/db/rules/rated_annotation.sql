-- The annotations that count, for agreement as for majorities: the current revision of every submitted assignment of a
-- rater. Skipped, withdrawn and surplus assignments give none. Whether a person is still active plays no part. A rater
-- is a person whose role may rate. Somebody who lost that role stays a rater of the rounds that named them, and of
-- batches outside the rounds (prototype, chosen), where everyone with an assignment was named. What is answered to an
-- item with a known answer never counts: it is compared with the key (`graded_answer`).
CREATE VIEW rules.rated_annotation AS
SELECT
  a.batch_item_id AS batch_item, i.item_id AS item, b.id AS batch, b.kind, b.project_id AS project,
  a.annotator_id AS annotator, m.number AS rater, a.current_id AS annotation
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
JOIN annotation_app_membership m ON m.id = a.annotator_id
WHERE a.state = 'submitted'
  AND (
    m.role = ANY(%(rating_roles)s)
    OR b.kind IN ('prototype', 'chosen')
    OR EXISTS (
      SELECT FROM annotation_app_round_annotators r WHERE r.round_id = b.round_id AND r.membership_id = m.id
    )
  )
  AND NOT EXISTS (SELECT FROM annotation_app_knownanswer k WHERE k.batch_item_id = i.id)
