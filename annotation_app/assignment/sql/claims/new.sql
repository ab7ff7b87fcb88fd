-- What is claimed now.
new AS (
  UPDATE annotation_app_assignment a
  SET state = 'claimed', claimed_at = %(now)s, slot = slots.slot
  FROM slots
  WHERE a.id = slots.id AND slots.slot IS NOT NULL
  RETURNING a.*
)
