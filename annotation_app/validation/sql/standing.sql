-- How far the validation of each item is. An item needs the slots that its batch gives, or as many as people are left
-- for it; skipped counts as done, surplus does not. What was decided stands, whatever becomes of the slots. It is
-- `revised` once an annotation that counts was changed after it.
SELECT
    i.batch_item, i.item, i.uuid, i.batch, i.number, i.kind, i.codebook, i.rank,
    coalesce(own.done, 0) AS done,
    least(i.annotators_per_item, coalesce(own.there, 0)) AS needed,
    CASE
        WHEN v.decision IN ('accepted', 'edited', 'rejected') THEN v.decision
        WHEN own.done > 0 AND own.done >= least(i.annotators_per_item, own.there) THEN 'open'
        ELSE 'waiting'
    END AS state,
    coalesce(v.decision <> 'reopened' AND (own.changed > v.created_at OR v.replaced), false) AS revised
FROM asked i
LEFT JOIN (
    SELECT
        a.batch_item_id,
        count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
        count(*) FILTER (WHERE a.state <> 'withdrawn') AS there,
        max(n.created_at) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS changed
    FROM asked i
    JOIN annotation_app_assignment a ON a.batch_item_id = i.batch_item
    LEFT JOIN annotation_app_annotation n ON n.id = a.current_id
    GROUP BY a.batch_item_id
) AS own ON own.batch_item_id = i.batch_item
LEFT JOIN (
    SELECT DISTINCT ON (d.batch_item_id)
        d.batch_item_id, d.decision, d.created_at, a.current_id <> d.annotation_id AS replaced
    FROM asked i
    JOIN annotation_app_validation d ON d.batch_item_id = i.batch_item
    LEFT JOIN annotation_app_annotation n ON n.id = d.annotation_id
    LEFT JOIN annotation_app_assignment a ON a.id = n.assignment_id
    ORDER BY d.batch_item_id, d.revision DESC
) AS v ON v.batch_item_id = i.batch_item
