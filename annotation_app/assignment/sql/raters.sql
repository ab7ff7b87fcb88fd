-- Who may annotate in the project now.
raters AS (
  SELECT id, user_id FROM annotation_app_membership
  WHERE project_id = %(project)s AND is_active AND role = ANY(%(raters)s)
),

-- To whom others' answers to an item were shown.
seen AS (
  SELECT subject AS item, actor_id AS person FROM annotation_app_event
  WHERE project_id = %(project)s AND verb = 'answers_shown'
)
