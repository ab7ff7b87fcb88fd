-- People's answers to the gold items of an evaluation, those in later batches last.
SELECT item.external_id, v.stage, v.rater, v.label
FROM votes v
JOIN rules.data_item i ON i.id = v.unit
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_batch b ON b.id = v.batch
JOIN annotation_app_goldlabel g ON g.item_id = i.item_id AND g.stage = v.stage AND g.evaluation_id = %(evaluation)s
ORDER BY b.number, item.external_id, v.stage, v.rater
