-- Items of the rounds with a decision that stands: what the votes came to, what was decided, and how many items so.
-- Left out are items that people are at again, who came back after it was made.
SELECT b.codebook_id, coalesce(p.majorities, '{}') AS majorities, d.labels::text, count(*)
FROM decided d
JOIN rules.round_batch b ON b.id = d.batch
LEFT JOIN annotation_app_counteditem f ON f.batch_item = d.unit
LEFT JOIN annotation_app_answerpattern p ON p.key = f.patterns[1]
CROSS JOIN LATERAL (SELECT g.finished FROM rules.item_progress g WHERE g.batch_item = d.unit OFFSET 0) AS progress
WHERE progress.finished
GROUP BY b.codebook_id, p.majorities, d.labels
