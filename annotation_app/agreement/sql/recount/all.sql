WITH
forget_combinations AS (
  DELETE FROM annotation_app_labelcombination
),

forget_patterns AS (
  DELETE FROM annotation_app_answerpattern
),

forget_counted_items AS (
  DELETE FROM annotation_app_counteditem
),

forget_tables AS (
  DELETE FROM annotation_app_agreementcache
)

-- Every item that may have an answer that counts is counted again at the next reading of its project.
INSERT INTO annotation_app_recountqueue (batch_item, batch)
SELECT DISTINCT i.id, i.batch_id
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
WHERE a.state = 'submitted'
