-- Stand in line for one item that others are taking.
SELECT my_takeable.id
FROM my_takeable
JOIN annotation_app_batchitem i ON i.id = my_takeable.batch_item_id
ORDER BY my_takeable.claimed_at NULLS FIRST, my_takeable.position
LIMIT 1
FOR NO KEY UPDATE OF i
