-- Every item of the project in which people mark spans, or the one that is named, in the newest round's or prototype
-- batch that has a span layer, since a second look is not independent.
SELECT DISTINCT ON (i.item_id)
    i.id AS batch_item, i.item_id AS item, t.uuid, b.id AS batch, b.number, b.kind, b.codebook_id AS codebook, i.rank,
    b.annotators_per_item
FROM annotation_app_batch b
JOIN annotation_app_codebookversion c ON c.id = b.codebook_id AND jsonb_typeof(c.definition -> 'span_layer') = 'object'
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_item t ON t.id = i.item_id
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'prototype')
    AND (%(item)s::uuid IS NULL OR t.uuid = %(item)s::uuid)
ORDER BY i.item_id, b.id DESC
