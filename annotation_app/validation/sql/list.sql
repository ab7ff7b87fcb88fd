-- One page, and with each of its lines how many items there are in each state: one line without an item where the page
-- is empty. What everything stands at is worked out once.
SELECT counts.by_state, shown.*
FROM (
    SELECT coalesce(jsonb_object_agg(state, n), '{}') AS by_state
    FROM (SELECT state, count(*) AS n FROM standing GROUP BY state) AS counted
) AS counts
LEFT JOIN (
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
) AS shown ON true
