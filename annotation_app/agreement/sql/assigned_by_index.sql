-- As assigned.sql, of few items: each is looked up by itself. OFFSET keeps the planner from starting at the other end.
SELECT q.unit, q.batch, a.annotator_id, a.state, a.current_id
FROM asked q
CROSS JOIN LATERAL (
  SELECT * FROM annotation_app_assignment s WHERE s.batch_item_id = q.unit OFFSET 0
) AS a
