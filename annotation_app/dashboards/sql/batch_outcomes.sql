-- What the batches' items came to, identical outcomes counted once: a few hundred rows whatever the number of items.
-- Majorities are those of the stored counts: an item stands in patterns that all carry them. `finished`: nobody is
-- waited for, so that a majority it lacks will not come any more; `begun`: somebody is done with it. `answered` counts
-- assignments that were answered or skipped, whatever the number of revisions.
-- Each item is looked up by index: it takes time for the batches asked for, and not for all that there are.
SELECT
  its.batch, its.codebook, coalesce(its.majorities, '{}') AS majorities, its.complete AS finished, its.begun,
  count(*) AS items, sum(its.answered)::bigint AS answered
FROM (
  SELECT
    p.batch, p.codebook, p.complete, p.done > 0 AS begun, p.answered,
    (
      SELECT k.majorities
      FROM annotation_app_answerpattern k
      WHERE k.key = (SELECT f.patterns[1] FROM annotation_app_counteditem f WHERE f.batch_item = p.batch_item)
    ) AS majorities
  FROM rules.item_progress p
  WHERE p.batch = ANY(%(batches)s::bigint[])
) AS its
GROUP BY its.batch, its.codebook, its.majorities, its.complete, its.begun
