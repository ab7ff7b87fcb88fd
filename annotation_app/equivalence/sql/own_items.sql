-- The items whose spans the reader may see, and which they have or had themselves without having seen others' answers.
-- Parameters: project, reader, sees_open.
SELECT t.batch_item
FROM settled t
JOIN annotation_app_assignment a ON a.batch_item_id = t.batch_item
WHERE t.is_seen AND a.annotator_id = %(reader)s AND a.answers_revealed_at IS NULL
