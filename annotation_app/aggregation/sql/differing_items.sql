SELECT i.item_id, d.raters
FROM differing d
JOIN annotation_app_batchitem i ON i.id = d.unit
ORDER BY i.rank
