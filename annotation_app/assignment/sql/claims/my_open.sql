-- A person's open assignments in the batch. What was never in this person's hands comes first, then what was given back,
-- the longest ago first: by claimed_at NULLS FIRST, then position.
my_open AS (
  SELECT a.id, a.batch_item_id, a.claimed_at, a.position
  FROM annotation_app_assignment a
  JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
  WHERE a.annotator_id = %(member)s AND i.batch_id = %(batch)s AND a.state = 'open'
),

-- Those whose item still has one of its k slots to give.
my_takeable AS (
  SELECT my_open.*
  FROM my_open
  WHERE %(k)s > (
    SELECT count(*) FROM annotation_app_assignment taken
    WHERE taken.batch_item_id = my_open.batch_item_id AND taken.slot IS NOT NULL
  )
)
