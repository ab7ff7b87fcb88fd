-- The names of all that was imported beside the texts of the rounds' items, in alphabetical order.
SELECT DISTINCT key
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_utterance u ON u.id = item.utterance_id
JOIN annotation_app_document d ON d.id = item.document_id
CROSS JOIN LATERAL jsonb_object_keys(d.meta || u.meta || item.meta) AS key
WHERE b.project_id = %(project)s
ORDER BY key
