-- A person's own work by batch and day: the items that they answered or skipped first on that day, and the active time of
-- all that they sent. Practice is left out.
SELECT
  b.uuid, b.kind, b.number, (n.created_at AT TIME ZONE %(time_zone)s)::date AS day,
  count(*) FILTER (WHERE n.revision = 1) AS done, sum(n.active_ms)::bigint AS active
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
JOIN annotation_app_annotation n ON n.assignment_id = a.id
WHERE a.annotator_id = %(reader)s AND b.kind <> 'practice'
GROUP BY b.id, day
ORDER BY day DESC, b.opened_at DESC
