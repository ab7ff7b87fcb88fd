-- Systems that have predicted items of a batch, and how many items.
SELECT p.evaluation_id, p.system, count(DISTINCT p.item_id) AS n
FROM annotation_app_prediction p
JOIN annotation_app_batchitem i ON i.item_id = p.item_id
WHERE i.batch_id = %(batch)s AND p.label IS NOT NULL
GROUP BY p.evaluation_id, p.system
ORDER BY n DESC, p.evaluation_id DESC, p.system
