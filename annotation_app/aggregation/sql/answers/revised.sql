-- The answers after second looks: where a person answered an item again in the second look at its batch, that answer
-- stands in place of their first one. Every other answer stays.
votes AS (
  SELECT r.batch_item AS unit, r.batch, r.rater, x.stage, x.label
  FROM rules.rated_annotation r
  LEFT JOIN annotation_app_batch later ON later.second_look_of_id = r.batch
  LEFT JOIN rules.data_item again ON again.batch_id = later.id AND again.item_id = r.item
  LEFT JOIN annotation_app_assignment looked
    ON looked.batch_item_id = again.id AND looked.annotator_id = r.annotator AND looked.state = 'submitted'
  JOIN annotation_app_answer x ON x.annotation_id = coalesce(looked.current_id, r.annotation)
  WHERE r.project = %(project)s AND rules.is_selected(r.kind, r.batch, %(batches)s)
)
