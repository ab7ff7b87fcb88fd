-- One item of a batch is enough to count the annotators of each item: at opening, all items have equally many.
SELECT b.id, b.number, count(i.id),
    (SELECT count(*) FROM annotation_app_assignment a WHERE a.batch_item_id = min(i.id) AND NOT a.added),
    b.annotators_per_item, b.codebook_id, b.second_look_of_id, b.kind
FROM annotation_app_batch b JOIN annotation_app_batchitem i ON i.batch_id = b.id
WHERE b.id = ANY(%(batches)s)
GROUP BY b.id
