-- How far each batch is. It is complete when every item has the done slots that it needs.
SELECT batch, count(*), sum(done), sum(needed), sum(surplus), bool_and(complete)
FROM rules.item_progress
WHERE batch = ANY(%(batches)s)
GROUP BY batch
