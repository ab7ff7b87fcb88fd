-- Whether an answer that counts is newer than what was decided about its item: of phase 1 the independent ones, of phase 2
-- those of the second look too, which may have been taken after the decision. Looked up by index, decision by decision.
SELECT d.unit, greatest(
  (
    SELECT max((SELECT n.created_at FROM annotation_app_annotation n WHERE n.id = a.current_id))
    FROM annotation_app_assignment a
    WHERE a.batch_item_id = d.unit AND a.state IN ('submitted', 'skipped')
  ),
  (
    SELECT max((SELECT n.created_at FROM annotation_app_annotation n WHERE n.id = a.current_id))
    FROM annotation_app_assignment a
    WHERE %(phase)s = 2 AND a.state = 'submitted' AND a.batch_item_id = (
      SELECT again.id FROM annotation_app_batchitem again
      WHERE again.item_id = d.item AND again.batch_id = (
        SELECT later.id FROM annotation_app_batch later WHERE later.second_look_of_id = d.batch
      )
    )
  )
) > d.made_at AS revised
FROM decided d
