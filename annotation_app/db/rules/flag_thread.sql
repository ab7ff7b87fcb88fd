-- How the thread of each flag stands. It waits for the admins while it is not resolved and whoever flagged had the last
-- word; the newest word on whether it is resolved counts.
CREATE VIEW rules.flag_thread AS
SELECT
  f.id AS flag, a.annotator_id AS asker, m.n AS messages,
  coalesce(m.last_at, f.created_at) AS last_at,
  coalesce(r.resolved, false) AS resolved, r.created_at AS resolved_at, r.resolved_by_id AS resolved_by,
  NOT coalesce(r.resolved, false) AND coalesce(m.last_author, a.annotator_id) = a.annotator_id AS waits
FROM annotation_app_flag f
JOIN annotation_app_assignment a ON a.id = f.assignment_id
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS n, max(x.created_at) AS last_at,
    (array_agg(x.author_id ORDER BY x.id DESC))[1] AS last_author
  FROM annotation_app_flagmessage x
  WHERE x.flag_id = f.id
) m
LEFT JOIN LATERAL (
  SELECT x.resolved, x.created_at, x.resolved_by_id
  FROM annotation_app_resolution x
  WHERE x.flag_id = f.id
  ORDER BY x.id DESC LIMIT 1
) r ON true
