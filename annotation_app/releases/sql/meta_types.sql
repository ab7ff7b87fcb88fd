-- The imported columns of the items given out, with the types of JSON that their values have.
SELECT key, coalesce(array_agg(DISTINCT kind) FILTER (WHERE kind <> 'null'), '{}') FROM (
    SELECT key, CASE
        WHEN jsonb_typeof(value) <> 'number' THEN jsonb_typeof(value)
        WHEN value::text ~ '^-?[0-9]{1,15}$' THEN 'integer' ELSE 'float' END AS kind
    FROM annotation_app_batch b
    JOIN rules.data_item i ON i.batch_id = b.id
    JOIN annotation_app_item item ON item.id = i.item_id
    JOIN annotation_app_utterance u ON u.id = item.utterance_id
    JOIN annotation_app_document d ON d.id = item.document_id
    CROSS JOIN LATERAL jsonb_each(d.meta || u.meta || item.meta)
    WHERE b.project_id = %(project)s
) found GROUP BY key ORDER BY key
