-- The decision on an item of a batch that counts: its highest revision. One that takes back what stood before it
-- `withdraws`, and has no labels.
CREATE VIEW rules.latest_decision AS
SELECT d.*
FROM annotation_app_adjudication d
WHERE NOT EXISTS (
  SELECT FROM annotation_app_adjudication later
  WHERE later.batch_item_id = d.batch_item_id AND later.revision > d.revision
)
