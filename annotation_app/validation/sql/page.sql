SELECT s.uuid, t.external_id, d.title, s.kind, s.number, s.done, s.needed, s.state, s.revised
FROM (
    SELECT * FROM standing
    WHERE state = ANY(%(states)s)
    ORDER BY batch, rank
    LIMIT %(limit)s OFFSET %(offset)s
) AS s
JOIN annotation_app_item t ON t.id = s.item
JOIN annotation_app_document d ON d.id = t.document_id
ORDER BY s.batch, s.rank
