-- Items of the rounds with a decision that stands: what the votes came to, what was decided, and how many items so.
-- Left out are items that people are at again, who came back after it was made.
SELECT b.codebook_id, coalesce(p.majorities, '{}') AS majorities, d.labels::text, count(*)
FROM decided d
JOIN annotation_app_batchitem i ON i.id = d.unit
JOIN annotation_app_batch b ON b.id = i.batch_id AND b.kind = 'round'
LEFT JOIN annotation_app_foldeditem f ON f.batch_item = i.id
LEFT JOIN annotation_app_answerpattern p ON p.key = f.patterns[1]
CROSS JOIN LATERAL (
  SELECT
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
    count(*) FILTER (WHERE a.state <> 'withdrawn') AS there
  FROM annotation_app_assignment a WHERE a.batch_item_id = i.id
) AS c
WHERE c.done > 0 AND c.done >= least(b.annotators_per_item, c.there)
GROUP BY b.codebook_id, p.majorities, d.labels
