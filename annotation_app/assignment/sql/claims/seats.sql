-- The fixed slot of each picked assignment, where an item has no more annotators than slots.
slots AS (
  SELECT a.id, (
      SELECT count(*) + 1 FROM annotation_app_assignment seat
      WHERE seat.batch_item_id = a.batch_item_id AND seat.id < a.id
    ) AS slot
  FROM annotation_app_assignment a
  JOIN picked ON picked.id = a.id
)
