-- The answers after second looks: where a person answered an item again in the second look at its batch, that answer
-- stands in place of their first one. Every other answer stays.
votes AS (
  SELECT i.id AS unit, b.id AS batch, m.number AS rater, x.stage, x.label
  FROM annotation_app_batch b
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_assignment a ON a.batch_item_id = i.id
  JOIN annotation_app_membership m ON m.id = a.annotator_id
  LEFT JOIN annotation_app_batch later ON later.second_look_of_id = b.id
  LEFT JOIN annotation_app_batchitem again ON again.batch_id = later.id AND again.item_id = i.item_id
  LEFT JOIN annotation_app_assignment looked
    ON looked.batch_item_id = again.id AND looked.annotator_id = a.annotator_id AND looked.state = 'submitted'
  JOIN annotation_app_answer x ON x.annotation_id = coalesce(looked.current_id, a.current_id)
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
)
