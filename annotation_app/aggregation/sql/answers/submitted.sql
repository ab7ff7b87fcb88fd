-- The annotations that count, for agreement as for majority: the current revision of every submitted assignment.
-- Skipped, withdrawn and surplus assignments give none. Whether a person is still active plays no part. A person who
-- only adjudicates is no rater. An annotator who became an adjudicator stays a rater of the rounds that named them,
-- and of the prototype batch, where everyone with an assignment was named.
submitted AS (
  SELECT a.unit, a.batch, m.number AS rater, a.current_id AS annotation
  FROM assigned a
  JOIN annotation_app_batch b ON b.id = a.batch
  JOIN annotation_app_membership m ON m.id = a.annotator_id
  WHERE a.state = 'submitted'
    AND (
      m.role <> 'adjudicator'
      OR b.kind = 'prototype'
      OR EXISTS (
        SELECT FROM annotation_app_round_annotators r WHERE r.round_id = b.round_id AND r.membership_id = m.id
      )
    )
)
