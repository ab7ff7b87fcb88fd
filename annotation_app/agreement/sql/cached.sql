-- The counts' version, and the rows that were kept of a view.
SELECT coalesce(s.version, 0), c.made_of, c.rows::text
FROM (VALUES (%(project)s)) AS p(id)
LEFT JOIN annotation_app_agreementstate s ON s.project_id = p.id
LEFT JOIN annotation_app_agreementcache c ON c.project_id = p.id AND c.view = %(view)s
