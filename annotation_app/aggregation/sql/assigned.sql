-- Everybody's row for the items that are asked for.
SELECT q.unit, q.batch, a.annotator_id, a.state, a.current_id
FROM asked q
JOIN annotation_app_assignment a ON a.batch_item_id = q.unit
