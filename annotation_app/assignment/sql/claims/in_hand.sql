-- What was in hand before and what is new, in the person's order: a claim and the reading of it are one statement.
SELECT i.item_id, rows.*
FROM (
  SELECT * FROM new
  UNION ALL
  SELECT * FROM annotation_app_assignment WHERE annotator_id = %(member)s AND state = 'claimed'
) AS rows
JOIN annotation_app_batchitem i ON i.id = rows.batch_item_id AND i.batch_id = %(batch)s
ORDER BY rows.position
