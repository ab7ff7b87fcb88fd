-- What people remarked: comments and reasons for a skip of current annotations, and flags, with the newest word on each.
-- `waits`: a flag on which the admins have the next word. `unread`: the reader has not seen all of the flag's thread.
-- `hidden`: the reader has or had the item, and what they answer may still be given, given back or changed. What is
-- asked for chooses among the others only: a number of hidden ones that match would tell what they say.
WITH said AS (
  SELECT n.uuid, 'comment' AS kind, n.comment AS words, n.created_at, a.id AS assignment, n.id AS annotation, NULL::bigint AS flag
  FROM annotation_app_annotation n JOIN annotation_app_assignment a ON a.current_id = n.id
  WHERE n.comment <> ''
  UNION ALL
  SELECT n.uuid, 'skip', n.skip_reason, n.created_at, a.id, n.id, NULL
  FROM annotation_app_annotation n JOIN annotation_app_assignment a ON a.current_id = n.id
  WHERE n.skip_reason <> ''
  UNION ALL
  SELECT f.uuid, 'flag', f.note, f.created_at, f.assignment_id, NULL, f.id
  FROM annotation_app_flag f
)
SELECT
  s.uuid, s.kind, s.words, s.created_at,
  m.uuid AS person, coalesce(nullif(u.display_name, ''), u.username) AS who,
  b.kind AS batch_kind, b.number, c.version AS codebook, i.uuid AS item, i.external_id, i.text,
  substr(t.text, greatest(1, i.start - 299), least(300, i.start)) AS before,
  substr(t.text, i."end" + 1, 300) AS after,
  coalesce(r.resolved, false) AS resolved, r.created_at AS resolved_at, r.who AS resolved_by,
  coalesce(th.messages, 0) AS messages, coalesce(th.waits, false) AS waits,
  s.flag IS NOT NULL AND (
    a.annotator_id <> %(reader)s AND NOT EXISTS (
      SELECT FROM annotation_app_flagread x WHERE x.flag_id = s.flag AND x.reader_id = %(reader)s
    ) OR rules.unread_messages(s.flag, %(reader)s) > 0
  ) AS unread,
  h.hidden
FROM said s
JOIN annotation_app_assignment a ON a.id = s.assignment
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_user u ON u.id = m.user_id
JOIN annotation_app_batchitem bi ON bi.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = bi.batch_id
JOIN annotation_app_codebookversion c ON c.id = b.codebook_id
JOIN annotation_app_item i ON i.id = bi.item_id
JOIN annotation_app_utterance t ON t.id = i.utterance_id
LEFT JOIN LATERAL (
  SELECT x.resolved, x.created_at, coalesce(nullif(p.display_name, ''), p.username) AS who
  FROM annotation_app_resolution x
  JOIN annotation_app_membership rm ON rm.id = x.resolved_by_id
  JOIN annotation_app_user p ON p.id = rm.user_id
  WHERE x.annotation_id = s.annotation OR x.flag_id = s.flag
  ORDER BY x.id DESC LIMIT 1
) r ON true
LEFT JOIN rules.flag_thread th ON th.flag = s.flag
CROSS JOIN LATERAL (
  SELECT a.annotator_id <> %(reader)s AND EXISTS (
    SELECT FROM rules.changeable_answer own WHERE own.item = i.id AND own.annotator = %(reader)s
  ) AS hidden
) h
WHERE b.project_id = %(project)s
  AND (%(batch)s::uuid IS NULL OR b.uuid = %(batch)s::uuid)
  AND (h.hidden OR (%(kind)s = 'all' OR s.kind = %(kind)s)
  AND (%(person)s::uuid IS NULL OR m.uuid = %(person)s::uuid)
  AND CASE %(state)s
    WHEN 'all' THEN true
    WHEN 'waiting' THEN coalesce(th.waits, false)
    ELSE coalesce(r.resolved, false) = (%(state)s = 'resolved')
  END
  AND (%(q)s = '' OR strpos(lower(s.words), lower(%(q)s)) > 0 OR strpos(lower(i.text), lower(%(q)s)) > 0
       OR strpos(lower(i.external_id), lower(%(q)s)) > 0))
ORDER BY coalesce(th.last_at, s.created_at) DESC, s.uuid
