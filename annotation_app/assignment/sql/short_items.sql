-- Items with fewer done slots than the batch gives an item, and those of them without any.
SELECT count(*), count(*) FILTER (WHERE p.done = 0)
FROM rules.item_progress p
JOIN annotation_app_batch b ON b.id = p.batch
WHERE p.batch = %(batch)s AND p.done < b.annotators_per_item
