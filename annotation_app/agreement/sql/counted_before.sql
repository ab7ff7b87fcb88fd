-- The patterns in which the queued items were counted until now.
SELECT p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.majorities
FROM asked q
JOIN annotation_app_foldeditem o ON o.batch_item = q.unit
CROSS JOIN LATERAL unnest(o.patterns) AS k(key)
JOIN annotation_app_answerpattern p ON p.key = k.key
