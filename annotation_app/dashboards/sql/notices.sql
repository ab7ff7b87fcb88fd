-- What waits for a person in all their projects, as far as it is cheap to find: rows (kind, membership, key, level,
-- number, batch or release number, kind of batch, moment). Levels are milliseconds since 1970.
WITH mine AS (
  SELECT m.id, m.project_id AS project, m.user_id AS person,
    m.role = ANY(%(managers)s) AS manages, m.role = ANY(%(raters)s) AS rates
  FROM annotation_app_membership m
  JOIN annotation_app_project p ON p.id = m.project_id
  WHERE m.user_id = %(person)s AND m.is_active AND p.archived_at IS NULL
), flag AS (
  SELECT f.id, b.project_id AS project, i.item_id AS item
  FROM mine
  JOIN annotation_app_batch b ON b.project_id = mine.project
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_assignment a ON a.batch_item_id = i.id
  JOIN annotation_app_flag f ON f.assignment_id = a.id
), found AS (
  SELECT 'question' AS kind, mine.id AS membership, 'question' AS key, count(*) AS n,
    NULL::integer AS number, '' AS batch, max(t.last_at) AS at
  FROM mine
  JOIN flag ON flag.project = mine.project
  JOIN rules.flag_thread t ON t.flag = flag.id
  WHERE mine.manages AND t.waits AND t.asker <> mine.id AND NOT EXISTS (
    SELECT FROM rules.changeable_answer own WHERE own.item = flag.item AND own.annotator = mine.id
  )
  GROUP BY mine.id
  UNION ALL
  SELECT 'answer', mine.id, 'answer', sum(u.n), NULL, '', max(t.last_at)
  FROM mine
  JOIN flag ON flag.project = mine.project
  JOIN rules.flag_thread t ON t.flag = flag.id AND t.asker = mine.id
  CROSS JOIN LATERAL (SELECT rules.unread_messages(flag.id, mine.id) AS n OFFSET 0) u
  WHERE u.n > 0
  GROUP BY mine.id
  UNION ALL
  SELECT 'note', mine.id, 'note ' || n.uuid, 1, NULL, '', n.published_at
  FROM mine
  JOIN annotation_app_codebookversion c ON c.project_id = mine.project
  JOIN annotation_app_codebooknote n ON n.codebook_id = c.id
  WHERE mine.rates AND n.withdrawn_at IS NULL AND n.published_by_id <> mine.id
    AND n.published_at > now() - interval '30 days'
  UNION ALL
  SELECT 'batch', mine.id, 'batch ' || b.uuid, count(*), b.number, b.kind, b.opened_at
  FROM mine
  JOIN annotation_app_batch b ON b.project_id = mine.project
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_assignment a ON a.batch_item_id = i.id AND a.annotator_id = mine.id
  WHERE mine.rates AND b.frozen_at IS NULL AND b.closed_at IS NULL
  GROUP BY mine.id, b.id
  HAVING bool_and(a.state IN ('open', 'claimed', 'withdrawn')) AND bool_or(a.state IN ('open', 'claimed'))
  UNION ALL
  SELECT 'failed', mine.id, 'failed ' || r.uuid, r.attempt, r.number, 'round', coalesce(r.finished_at, r.created_at)
  FROM mine
  JOIN annotation_app_round r ON r.project_id = mine.project
  WHERE mine.manages AND r.state = 'failed'
  UNION ALL
  SELECT 'release', mine.id, 'release ' || r.uuid, 1, r.number, '', r.finished_at
  FROM mine
  JOIN annotation_app_release r ON r.project_id = mine.project
  WHERE mine.manages AND r.state = 'done' AND r.finished_at > now() - interval '30 days'
)
SELECT kind, membership, key,
  CASE kind WHEN 'failed' THEN n ELSE (extract(epoch FROM at) * 1000)::bigint END AS level,
  n, number, batch, at
FROM found
