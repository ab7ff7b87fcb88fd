-- Why assignments of the rounds were skipped, the commonest reason first.
SELECT btrim(n.skip_reason) AS reason, count(*) AS n
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_annotation n ON n.id = a.current_id
WHERE b.project_id = %(project)s AND a.state = 'skipped'
GROUP BY 1
ORDER BY 2 DESC, 1
