-- Which assignments of one person each other person could take over: of items that they were never given, or that were
-- withdrawn from them, and whose answers they have not seen.
takeable AS (
  SELECT t.id, t.annotator_id AS giver, m.id AS taker
  FROM to_answer t
  JOIN annotation_app_batchitem bi ON bi.id = t.batch_item_id
  JOIN annotation_app_item i ON i.id = bi.item_id
  JOIN annotation_app_membership m
    ON m.project_id = %(project)s AND m.is_active AND m.role = ANY(%(raters)s) AND m.id <> t.annotator_id
  WHERE NOT EXISTS (
    SELECT FROM annotation_app_assignment had
    WHERE had.batch_item_id = t.batch_item_id AND had.annotator_id = m.id
      AND (had.state <> 'withdrawn' OR had.answers_revealed_at IS NOT NULL)
  ) AND NOT EXISTS (
    SELECT FROM annotation_app_event seen
    WHERE seen.project_id = %(project)s AND seen.subject = i.uuid::text AND seen.verb = 'answers_shown'
      AND seen.actor_id = m.user_id
  )
)
