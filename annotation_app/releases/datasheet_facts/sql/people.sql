-- What each annotator did, by kind of batch: assignments by their state, time of all revisions, comments that count, and
-- the days on which something was answered, in the project's time zone.
SELECT
  b.kind, m.number, m.role,
  count(DISTINCT a.id) FILTER (WHERE a.state = 'submitted') AS submitted,
  count(DISTINCT a.id) FILTER (WHERE a.state = 'skipped') AS skipped,
  count(DISTINCT a.id) FILTER (WHERE a.state = 'surplus') AS surplus,
  sum(n.wall_ms)::bigint AS wall_ms,
  sum(n.active_ms)::bigint AS active_ms,
  count(*) FILTER (WHERE n.id = a.current_id AND n.comment <> '') AS comments,
  array_agg(DISTINCT (n.created_at AT TIME ZONE %(time_zone)s)::date) AS days
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_annotation n ON n.assignment_id = a.id
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'second_look')
GROUP BY b.kind, m.id
ORDER BY b.kind, m.number
