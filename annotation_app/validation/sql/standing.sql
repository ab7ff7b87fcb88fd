-- Every item of the project in which people mark spans, or the one that is named, and how far its validation is: in the
-- newest round's or prototype batch that has a span layer, since a second look is not independent. An item needs the
-- slots that its batch gives, or as many as people are left for it; skipped counts as done, surplus does not. What was
-- decided stands, whatever becomes of the slots. It is `revised` once an annotation that counts was changed after it.
SELECT DISTINCT ON (i.item_id)
    i.id AS batch_item, i.item_id AS item, t.uuid, b.id AS batch, b.number, b.kind, b.codebook_id AS codebook, i.rank,
    own.done, own.needed,
    CASE
        WHEN v.decision IN ('accepted', 'edited', 'rejected') THEN v.decision
        WHEN own.done > 0 AND own.done >= own.needed THEN 'open'
        ELSE 'waiting'
    END AS state,
    coalesce(v.decision <> 'reopened' AND (own.changed > v.created_at OR v.replaced), false) AS revised
FROM annotation_app_batch b
JOIN annotation_app_codebookversion c ON c.id = b.codebook_id AND jsonb_typeof(c.definition -> 'span_layer') = 'object'
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_item t ON t.id = i.item_id
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
        least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn')) AS needed,
        max(n.created_at) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS changed
    FROM annotation_app_assignment a
    LEFT JOIN annotation_app_annotation n ON n.id = a.current_id
    WHERE a.batch_item_id = i.id
) AS own
LEFT JOIN LATERAL (
    SELECT d.decision, d.created_at, a.current_id <> d.annotation_id AS replaced
    FROM annotation_app_validation d
    LEFT JOIN annotation_app_annotation n ON n.id = d.annotation_id
    LEFT JOIN annotation_app_assignment a ON a.id = n.assignment_id
    WHERE d.batch_item_id = i.id
    ORDER BY d.revision DESC
    LIMIT 1
) AS v ON true
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'prototype')
    AND (%(item)s::uuid IS NULL OR t.uuid = %(item)s::uuid)
ORDER BY i.item_id, b.id DESC
