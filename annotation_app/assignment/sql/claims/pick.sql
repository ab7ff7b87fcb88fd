-- An item that somebody else is taking this moment is left to them, and nobody waits while holding a lock.
SELECT my_takeable.id
FROM my_takeable
JOIN annotation_app_batchitem i ON i.id = my_takeable.batch_item_id
ORDER BY my_takeable.claimed_at NULLS FIRST, my_takeable.position
LIMIT %(need)s
FOR NO KEY UPDATE OF i SKIP LOCKED
