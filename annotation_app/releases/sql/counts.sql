-- What the rounds' batches and second looks at them hold. Annotations are current ones; surplus ones count too.
SELECT
  count(DISTINCT i.item_id) FILTER (WHERE b.kind = 'round'),
  count(DISTINCT item.document_id) FILTER (WHERE b.kind = 'round'),
  count(a.current_id),
  count(DISTINCT a.annotator_id) FILTER (WHERE a.current_id IS NOT NULL),
  count(DISTINCT b.id) FILTER (WHERE b.kind = 'round'),
  count(DISTINCT b.id) FILTER (WHERE b.kind = 'second_look'),
  coalesce(sum((SELECT count(*) FROM annotation_app_span s WHERE s.annotation_id = a.current_id)), 0)
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
LEFT JOIN annotation_app_assignment a ON a.batch_item_id = i.id
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'second_look')
