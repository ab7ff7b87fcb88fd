-- The items of the rounds' batches, or of the batches that are named, of whatever kind.
selected_items AS (
  SELECT i.id AS unit, b.id AS batch
  FROM annotation_app_batch b
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  WHERE b.project_id = %(project)s
    AND CASE WHEN %(batches)s::bigint[] IS NULL THEN b.kind = 'round' ELSE b.id = ANY(%(batches)s::bigint[]) END
),

-- Everybody's assignment of these items.
assigned AS (
  SELECT q.unit, q.batch, a.annotator_id, a.state, a.current_id
  FROM selected_items q
  JOIN annotation_app_assignment a ON a.batch_item_id = q.unit
)
