-- What one person could be added for, with what their order follows from.
SELECT a.batch_item, i.external_id
FROM addable a
JOIN annotation_app_batchitem bi ON bi.id = a.batch_item
JOIN annotation_app_item i ON i.id = bi.item_id
WHERE a.member = %(member)s
