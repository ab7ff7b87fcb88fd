-- The items of rounds with settled spans: those of the annotation that a validator accepted, or of the validator's edit.
CREATE VIEW rules.settled_item AS
SELECT
  b.project_id AS project, b.id AS batch, i.id AS batch_item, i.item_id AS item, v.uuid, v.created_at,
  CASE WHEN v.decision = 'accepted' THEN v.annotation_id END AS annotation,
  CASE WHEN v.decision = 'edited' THEN v.id END AS validation
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN rules.latest_validation v ON v.batch_item_id = i.id AND v.decision IN ('accepted', 'edited')
