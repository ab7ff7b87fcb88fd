-- What the batches' items came to, identical outcomes counted once: a few hundred rows whatever the number of items.
-- `finished`: as many slots are done as the item needs, so that a majority it lacks will not come any more. `answered`
-- counts assignments that were answered or skipped, whatever the number of revisions.
SELECT
  b.id, b.codebook_id, coalesce(y.majorities, '{}')::text AS majorities, coalesce(g.finished, false) AS finished,
  count(*) AS items, coalesce(sum(g.answered), 0)::bigint AS answered
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
LEFT JOIN (
  SELECT
    a.batch_item_id,
    count(a.current_id) AS answered,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped'))
      >= least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn')) AS finished
  FROM annotation_app_batch b
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_assignment a ON a.batch_item_id = i.id
  WHERE b.id = ANY(%(batches)s::bigint[])
  GROUP BY a.batch_item_id, b.id
) AS g ON g.batch_item_id = i.id
LEFT JOIN by_unit y ON y.unit = i.id
WHERE b.id = ANY(%(batches)s::bigint[])
GROUP BY b.id, b.codebook_id, y.majorities, g.finished
