-- How far each item of a batch is whose answers are data (`handed_item`).
CREATE VIEW rules.item_progress AS
SELECT
  batch_item, item, rank, batch, kind, number, project, codebook, answered, done, surplus, needed, complete, finished
FROM rules.handed_item
WHERE NOT is_check
