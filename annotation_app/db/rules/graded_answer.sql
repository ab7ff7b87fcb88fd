-- Assignments of items with a known answer, and whether the answer is right: every stage of the key has the same answer.
-- A skip is done and never right. What was withdrawn is not asked for. Check items have known answers outside a practice.
CREATE VIEW rules.graded_answer AS
SELECT
  a.id AS assignment, a.annotator_id AS annotator, i.batch_id AS batch, i.is_check,
  a.state IN ('submitted', 'skipped', 'surplus') AS done,
  a.state = 'skipped' OR a.state = 'surplus' AND n.skip_reason <> '' AS skipped,
  a.state IN ('submitted', 'surplus') AND NOT EXISTS (
    SELECT FROM jsonb_each_text(k.answers) AS known(stage, label)
    LEFT JOIN annotation_app_answer x ON x.annotation_id = a.current_id AND x.stage = known.stage
    WHERE x.label IS DISTINCT FROM known.label
  ) AS right_answer
FROM annotation_app_knownanswer k
JOIN annotation_app_batchitem i ON i.id = k.batch_item_id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
LEFT JOIN annotation_app_annotation n ON n.id = a.current_id
WHERE a.state <> 'withdrawn'
