SELECT count(*)
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
WHERE b.project_id = %(project)s AND b.kind = 'round'
