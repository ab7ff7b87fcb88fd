-- Which items of the batch each person could be added for: those that still wait for an answer, that the person was never
-- given, whose answers they have not seen, and that are in no practice. A check item is new to them in every batch.
addable AS (
  SELECT p.batch_item, m.id AS member
  FROM rules.handed_item p
  JOIN annotation_app_batch b ON b.id = p.batch
  JOIN annotation_app_item i ON i.id = p.item
  CROSS JOIN raters m
  WHERE p.batch = %(batch)s AND p.done < b.annotators_per_item AND i.left_out = ''
    AND NOT EXISTS (SELECT FROM rules.practised_item s WHERE s.item = i.id)
    AND NOT EXISTS (
      SELECT FROM annotation_app_assignment had
      WHERE had.batch_item_id = p.batch_item AND had.annotator_id = m.id
    )
    AND NOT (p.is_check AND EXISTS (
      SELECT FROM annotation_app_assignment had
      JOIN annotation_app_batchitem elsewhere ON elsewhere.id = had.batch_item_id
      WHERE elsewhere.item_id = p.item AND had.annotator_id = m.id
    ))
    AND NOT EXISTS (SELECT FROM seen WHERE seen.item = i.uuid::text AND seen.person = m.user_id)
)
