-- Who has or had which item, and may still give, give back or change what they answer about it: others' answers about
-- the item would tell on theirs.
CREATE VIEW rules.changeable_answer AS
SELECT b.project_id AS project, i.item_id AS item, a.annotator_id AS annotator
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE a.answers_revealed_at IS NULL AND b.frozen_at IS NULL
