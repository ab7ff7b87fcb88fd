-- Each item's majorities over all stages, beside the codebook that says which of these stages are open.
SELECT f.unit, b.codebook_id AS codebook, jsonb_object_agg(f.stage, v.majority) AS majorities
FROM folded f
JOIN verdicts v ON v.batch = f.batch AND v.stage = f.stage AND v.labels = f.labels
JOIN annotation_app_batch b ON b.id = f.batch
WHERE v.majority IS NOT NULL
GROUP BY f.unit, b.codebook_id
