-- Each item's majorities over all stages, beside the codebook that says which of these stages are open.
SELECT t.unit, b.codebook_id AS codebook, jsonb_object_agg(t.stage, t.label) AS majorities
FROM tallies t
JOIN annotation_app_batchitem i ON i.id = t.unit
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE t.is_majority
GROUP BY t.unit, b.codebook_id
