-- What the batches' items came to, identical outcomes counted once: a few hundred rows whatever the number of items.
-- Majorities are those of the kept counts: an item stands in patterns that all carry them. `finished`: as many slots are
-- done as the item needs, so that a majority it lacks will not come any more; `begun`: somebody is done with it.
-- `answered` counts assignments that were answered or skipped, whatever the number of revisions.
-- Each item is looked up by index: it takes time for the batches asked for, and not for all that there are.
SELECT
  b.id, b.codebook_id, coalesce(its.majorities, '{}') AS majorities, its.finished, its.begun, count(*) AS items,
  sum(its.answered)::bigint AS answered
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id AND i.batch_id = ANY(%(batches)s::bigint[])
CROSS JOIN LATERAL (
  SELECT
    count(a.current_id) AS answered,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) > 0 AS begun,
    count(*) > 0 AND count(*) FILTER (WHERE a.state IN ('submitted', 'skipped'))
      >= least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn')) AS finished,
    (
      SELECT p.majorities
      FROM annotation_app_answerpattern p
      WHERE p.key = (SELECT f.patterns[1] FROM annotation_app_foldeditem f WHERE f.batch_item = i.id)
    ) AS majorities
  FROM annotation_app_assignment a
  WHERE a.batch_item_id = i.id
) AS its
WHERE b.id = ANY(%(batches)s::bigint[])
GROUP BY b.id, b.codebook_id, its.majorities, its.finished, its.begun
