-- How far each person is in each batch. Of rows that nobody has claimed, only those count whose item still has a slot to
-- give.
WITH handed_out AS MATERIALIZED (
    SELECT i.batch_id, a.batch_item_id, a.annotator_id, a.state, a.slot, a.done_at, b.annotators_per_item
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    WHERE b.id = ANY(%(batches)s)
), taken AS (
    SELECT batch_item_id FROM handed_out
    GROUP BY batch_item_id, annotators_per_item HAVING count(slot) >= annotators_per_item
)
SELECT h.batch_id, h.annotator_id,
    count(*) FILTER (WHERE h.state IN ('submitted', 'skipped', 'surplus')),
    count(*) FILTER (WHERE h.state = 'skipped'),
    count(*) FILTER (WHERE h.state NOT IN ('open', 'withdrawn') OR h.state = 'open' AND t.batch_item_id IS NULL),
    max(h.done_at)
FROM handed_out h LEFT JOIN taken t ON t.batch_item_id = h.batch_item_id
GROUP BY h.batch_id, h.annotator_id
