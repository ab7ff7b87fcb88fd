-- How far each batch is, and how many items it has without check items. It is complete when every item has the done slots
-- that it needs: check items are waited for like the others.
SELECT batch, count(*) FILTER (WHERE NOT is_check), sum(done), sum(needed), sum(surplus), bool_and(complete),
  count(*) FILTER (WHERE is_check)
FROM rules.handed_item
WHERE batch = ANY(%(batches)s)
GROUP BY batch
