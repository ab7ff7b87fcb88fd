-- What the batches' items came to, identical outcomes counted once: a few hundred rows whatever the number of items.
-- Majorities are those of the kept counts: an item stands in patterns that all carry them. `finished`: as many slots are
-- done as the item needs, so that a majority it lacks will not come any more; `begun`: somebody is done with it.
-- `answered` counts assignments that were answered or skipped, whatever the number of revisions.
SELECT
  b.id, b.codebook_id, coalesce(p.majorities, '{}') AS majorities, coalesce(g.finished, false) AS finished,
  coalesce(g.begun, false) AS begun, count(*) AS items, coalesce(sum(g.answered), 0)::bigint AS answered
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
LEFT JOIN (
  SELECT
    batch_item_id, answered, done > 0 AS begun, done >= least(annotators_per_item, there) AS finished
  FROM (
    SELECT
      a.batch_item_id, b.annotators_per_item,
      count(a.current_id) AS answered,
      count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
      count(*) FILTER (WHERE a.state <> 'withdrawn') AS there
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    WHERE b.id = ANY(%(batches)s::bigint[])
    GROUP BY a.batch_item_id, b.annotators_per_item
  ) AS counted
) AS g ON g.batch_item_id = i.id
LEFT JOIN annotation_app_foldeditem f ON f.batch_item = i.id
LEFT JOIN annotation_app_answerpattern p ON p.key = f.patterns[1]
WHERE b.id = ANY(%(batches)s::bigint[])
GROUP BY b.id, b.codebook_id, p.majorities, g.finished, g.begun
