-- The validation of an item of a batch that counts: its highest revision.
CREATE VIEW rules.latest_validation AS
SELECT v.*
FROM annotation_app_validation v
WHERE NOT EXISTS (
  SELECT FROM annotation_app_validation later
  WHERE later.batch_item_id = v.batch_item_id AND later.revision > v.revision
)
