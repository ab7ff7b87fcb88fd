-- The majorities of each item that has an answer, from the kept counts: an item stands in patterns that all carry them.
SELECT i.id AS unit, p.majorities
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_foldeditem f ON f.batch_item = i.id
JOIN annotation_app_answerpattern p ON p.key = f.patterns[1]
WHERE b.project_id = %(project)s AND b.kind = 'round'
