SELECT id, version, definition::text
FROM annotation_app_codebookversion
WHERE project_id = %(project)s AND state = 'published'
