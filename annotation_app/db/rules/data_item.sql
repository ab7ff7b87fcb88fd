-- The items of batches whose answers are data. A check item stands in its batch for its annotators only: what reads data
-- reads this view in place of the table.
CREATE VIEW rules.data_item AS
SELECT id, batch_id, item_id, rank, score
FROM annotation_app_batchitem
WHERE NOT is_check
