-- Items that two or more people submitted, and whose batch's codebook has a span layer. `raters` is who did.
SELECT
  s.unit, b.number AS round, i.rank, b.codebook_id AS codebook, item.text, length(item.text) AS length,
  array_agg(s.rater ORDER BY s.rater) AS raters
FROM submitted s
JOIN annotation_app_batch b ON b.id = s.batch
JOIN annotation_app_batchitem i ON i.id = s.unit
JOIN annotation_app_item item ON item.id = i.item_id
WHERE b.codebook_id IN (SELECT codebook FROM spans_known)
GROUP BY s.unit, b.number, i.rank, b.codebook_id, item.id
HAVING count(*) > 1
