-- Lines of the audit log of a project, with the name of what each is about.
-- Of the nouns, what most lines are about is looked up first; a subject that is no id of ours (a question of the
-- datasheet) is its own name.
SELECT
  e.id, e.created_at, m.uuid AS person, coalesce(nullif(u.display_name, ''), u.username) AS who, u.username,
  e.verb, e.subject, e.data::text,
  CASE WHEN subject.uuid IS NULL THEN e.subject ELSE coalesce(
    (SELECT i.external_id
     FROM annotation_app_assignment a
     JOIN annotation_app_batchitem b ON b.id = a.batch_item_id
     JOIN annotation_app_item i ON i.id = b.item_id
     WHERE a.uuid = subject.uuid),
    (SELECT external_id FROM annotation_app_item WHERE uuid = subject.uuid),
    (SELECT coalesce(nullif(p.display_name, ''), p.username)
     FROM annotation_app_membership n
     JOIN annotation_app_user p ON p.id = n.user_id
     WHERE n.uuid = subject.uuid),
    (SELECT number::text FROM annotation_app_round WHERE uuid = subject.uuid),
    (SELECT kind || ' ' || number FROM annotation_app_batch WHERE uuid = subject.uuid),
    (SELECT title FROM annotation_app_practice WHERE uuid = subject.uuid),
    (SELECT filename FROM annotation_app_import WHERE uuid = subject.uuid),
    (SELECT name FROM annotation_app_simulation WHERE uuid = subject.uuid),
    (SELECT name FROM annotation_app_evaluation WHERE uuid = subject.uuid),
    (SELECT name FROM annotation_app_interpretation WHERE uuid = subject.uuid),
    -- One that was removed has its name in the line about that.
    (SELECT r.data ->> 'name' FROM annotation_app_event r
     WHERE e.verb LIKE 'interpretation\_%%' AND r.project_id = e.project_id
       AND r.verb = 'interpretation_removed' AND r.subject = e.subject),
    (SELECT name FROM annotation_app_textset WHERE uuid = subject.uuid),
    (SELECT name FROM annotation_app_errorcause WHERE uuid = subject.uuid),
    (SELECT role FROM annotation_app_invite WHERE uuid = subject.uuid),
    (SELECT file_name FROM annotation_app_testset WHERE uuid = subject.uuid),
    ''
  ) END AS about
FROM annotation_app_event e
LEFT JOIN annotation_app_user u ON u.id = e.actor_id
LEFT JOIN annotation_app_membership m ON m.project_id = e.project_id AND m.user_id = e.actor_id
CROSS JOIN LATERAL (
  SELECT CASE WHEN e.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN e.subject::uuid END AS uuid
  -- Worked out once, not in every look-up.
  OFFSET 0
) AS subject
WHERE e.project_id = %(project)s
  AND (%(only)s::text[] IS NULL OR e.verb = ANY(%(only)s::text[]))
  AND (%(but)s::text[] IS NULL OR e.verb <> ALL(%(but)s::text[]))
  AND (%(actor)s::bigint IS NULL OR e.actor_id = %(actor)s)
  AND (NOT %(system)s OR e.actor_id IS NULL)
  AND (%(before)s::bigint IS NULL OR e.id < %(before)s)
