SELECT m.number, person.username
FROM annotation_app_membership m
JOIN annotation_app_user person ON person.id = m.user_id
WHERE m.project_id = %(project)s
