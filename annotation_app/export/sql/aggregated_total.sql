SELECT count(*)
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
WHERE b.project_id = %(project)s
