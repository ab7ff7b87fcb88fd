-- Identical answers are counted once from here on: `n` items of a round have this pattern. Everything below works on
-- these few hundred rows. Two orders of the same answers may stand as two patterns: sums over both are the same.
SELECT f.stage, b.number AS round, f.raters, f.labels, count(*) AS n
FROM in_scope f
JOIN annotation_app_batch b ON b.id = f.batch
GROUP BY f.stage, b.number, f.raters, f.labels
