-- Time by batch and annotator: of all revisions, as it was all spent, and the assignments that were answered or skipped.
-- `cut`: revisions that took as long as one counts for at most.
SELECT
  b.id, m.number, sum(n.wall_ms)::bigint AS wall, sum(n.active_ms)::bigint AS active, count(DISTINCT a.id) AS done,
  count(*) FILTER (WHERE n.wall_ms >= %(most)s) AS cut, count(DISTINCT a.id) FILTER (WHERE a.state = 'skipped') AS skipped
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_annotation n ON n.assignment_id = a.id
WHERE b.project_id = %(project)s AND rules.is_selected(b.kind, b.id, %(batches)s)
GROUP BY b.id, m.number
