-- Whether as many slots of an item of a round's batch are done as the item needs. No row: it was given to nobody.
SELECT
  a.batch_item_id AS unit,
  count(*) FILTER (WHERE a.state IN ('submitted', 'skipped'))
    >= least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn'))
    AND count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) > 0 AS finished
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
WHERE b.project_id = %(project)s AND b.kind = 'round'
GROUP BY a.batch_item_id, b.annotators_per_item
