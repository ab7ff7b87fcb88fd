INSERT INTO annotation_app_agreementstate AS s (project_id, version)
SELECT %(project)s, 1 WHERE EXISTS (SELECT FROM recounted)
ON CONFLICT (project_id) DO UPDATE SET version = s.version + 1
RETURNING version
