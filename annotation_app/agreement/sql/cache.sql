-- The counts' version, the rows that were kept of a view, and whether this transaction can keep any.
SELECT coalesce(s.version, 0), c.made_of, c.rows::text, current_setting('transaction_read_only') = 'on'
FROM (VALUES (%(project)s)) AS p(id)
LEFT JOIN annotation_app_agreementstate s ON s.project_id = p.id
LEFT JOIN annotation_app_agreementcache c ON c.project_id = p.id AND c.view = %(view)s
