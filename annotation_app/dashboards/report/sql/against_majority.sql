-- Who answered what where the items came to what: identical answers beside identical majorities are counted once.
SELECT b.codebook_id, y.majorities::text, v.stage, v.rater, v.label, count(*) AS n
FROM votes v
JOIN by_unit y ON y.unit = v.unit
JOIN annotation_app_batch b ON b.id = v.batch
GROUP BY b.codebook_id, y.majorities, v.stage, v.rater, v.label
