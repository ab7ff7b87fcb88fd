SELECT count(*)
FROM rules.round_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
WHERE b.project_id = %(project)s
