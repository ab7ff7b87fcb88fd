-- One person's answers in a batch that differ from a system's predictions, and that they have not compared yet.
SELECT a.uuid, a.position
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
WHERE a.annotator_id = %(member)s AND i.batch_id = %(batch)s AND a.state IN ('submitted', 'surplus')
    AND a.suggestions_shown_at IS NULL AND a.answers_revealed_at IS NULL
    AND EXISTS (
        SELECT FROM annotation_app_answer answer
        JOIN annotation_app_prediction p ON p.item_id = i.item_id AND p.stage = answer.stage
        WHERE answer.annotation_id = a.current_id AND p.evaluation_id = %(evaluation)s AND p.system = %(model)s
            AND p.label <> answer.label
    )
ORDER BY a.position
