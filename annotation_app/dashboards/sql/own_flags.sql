-- A person's own flags with their items, those whose threads moved last first. `final`: the answer can't be changed.
SELECT
  f.uuid, a.uuid AS assignment, f.note, f.created_at,
  b.kind AS batch_kind, b.number, i.text,
  th.resolved, rules.unread_messages(f.id, %(reader)s) AS unread,
  b.frozen_at IS NOT NULL OR a.answers_revealed_at IS NOT NULL AS final,
  count(*) OVER () AS n
FROM annotation_app_flag f
JOIN rules.flag_thread th ON th.flag = f.id
JOIN annotation_app_assignment a ON a.id = f.assignment_id
JOIN annotation_app_batchitem bi ON bi.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = bi.batch_id
JOIN annotation_app_item i ON i.id = bi.item_id
WHERE a.annotator_id = %(reader)s
  AND (%(assignment)s::uuid IS NULL OR a.uuid = %(assignment)s::uuid)
ORDER BY th.last_at DESC, f.id DESC
LIMIT %(size)s OFFSET %(size)s * (%(page)s - 1)
