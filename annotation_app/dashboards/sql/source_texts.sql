SELECT uuid, text FROM annotation_app_sourcedocument WHERE uuid = ANY(%(uuids)s)
UNION ALL
SELECT uuid, text FROM annotation_app_item WHERE uuid = ANY(%(uuids)s)
