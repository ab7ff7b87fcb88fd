-- Open assignments whose item still has a free slot.
SELECT a.annotator_id, i.batch_id, count(*)
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
WHERE b.id = ANY(%(batches)s) AND a.annotator_id = ANY(%(members)s) AND a.state = 'open' AND b.annotators_per_item > (
    SELECT count(*) FROM annotation_app_assignment taken WHERE taken.batch_item_id = i.id AND taken.slot IS NOT NULL
)
GROUP BY a.annotator_id, i.batch_id
