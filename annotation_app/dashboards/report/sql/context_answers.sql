-- Answers at the stages that ask for the context needed, beside how far the context was opened before answering.
SELECT v.rater, v.stage, v.label, n.context_opened, count(*) AS n
FROM votes v
JOIN annotation_app_assignment a ON a.batch_item_id = v.unit
JOIN annotation_app_membership m ON m.id = a.annotator_id AND m.number = v.rater
JOIN annotation_app_annotation n ON n.id = a.current_id
WHERE v.stage = ANY(%(stages)s::text[])
GROUP BY v.rater, v.stage, v.label, n.context_opened
