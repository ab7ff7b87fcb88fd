-- Taken out of the queue by the statement that counts them again: a change that comes later is queued anew.
DELETE FROM annotation_app_foldqueue q
USING (
  SELECT DISTINCT n.batch_item
  FROM annotation_app_foldqueue n
  JOIN annotation_app_batch b ON b.id = n.batch
  WHERE b.project_id = %(project)s
  ORDER BY n.batch_item
  LIMIT %(at_once)s
) AS taken
WHERE q.batch_item = taken.batch_item
RETURNING q.batch_item, q.batch
