-- The settled items that are hidden from the reader. Parameters: project, reader, sees_open.
SELECT i.external_id FROM settled t JOIN annotation_app_item i ON i.id = t.item WHERE NOT t.is_seen ORDER BY 1
