-- The lowest free slot of each picked assignment's item, of k; null where none is free. As many as k that are taken leave
-- none, though a seat that was handed over has a number above k.
slots AS (
  SELECT a.id, (
      SELECT min(slot) FROM generate_series(1, %(k)s) AS slot
      WHERE NOT EXISTS (
        SELECT FROM annotation_app_assignment taken
        WHERE taken.batch_item_id = a.batch_item_id AND taken.slot = slot.slot
      ) AND %(k)s > (
        SELECT count(*) FROM annotation_app_assignment taken
        WHERE taken.batch_item_id = a.batch_item_id AND taken.slot IS NOT NULL
      )
    ) AS slot
  FROM annotation_app_assignment a
  JOIN picked ON picked.id = a.id
)
