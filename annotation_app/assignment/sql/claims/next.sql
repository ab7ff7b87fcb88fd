-- The next of the person's open assignments.
picked AS (
  SELECT id FROM my_open ORDER BY claimed_at NULLS FIRST, position LIMIT %(need)s
)
