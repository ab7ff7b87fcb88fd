-- Which assignments of one person each other person could take over: of items that they were never given, or that were
-- withdrawn from them, and whose answers they have not seen. A check item is new to them in every batch.
takeable AS (
  SELECT t.id, t.annotator_id AS giver, m.id AS taker
  FROM to_answer t
  JOIN annotation_app_batchitem bi ON bi.id = t.batch_item_id
  JOIN annotation_app_item i ON i.id = bi.item_id
  JOIN raters m ON m.id <> t.annotator_id
  WHERE NOT EXISTS (
    SELECT FROM annotation_app_assignment had
    WHERE had.batch_item_id = t.batch_item_id AND had.annotator_id = m.id
      AND (had.state <> 'withdrawn' OR had.answers_revealed_at IS NOT NULL)
  ) AND NOT (bi.is_check AND EXISTS (
    SELECT FROM annotation_app_assignment had
    JOIN annotation_app_batchitem elsewhere ON elsewhere.id = had.batch_item_id
    WHERE elsewhere.item_id = bi.item_id AND elsewhere.id <> bi.id AND had.annotator_id = m.id
  )) AND NOT EXISTS (SELECT FROM seen WHERE seen.item = i.uuid::text AND seen.person = m.user_id)
)
