-- Spans of the rounds' annotations that count, by category, and the annotations that have one.
SELECT s.category, count(*) AS spans, count(DISTINCT a.id) AS annotations
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_span s ON s.annotation_id = a.current_id
WHERE b.project_id = %(project)s AND a.state = 'submitted'
GROUP BY s.category
