-- As in `cached.sql`, of the revised answers. They are few, and are counted each time.
selected_patterns AS (
  SELECT f.stage, b.number AS round, b.codebook_id AS codebook, f.majorities, f.raters, f.labels, count(*) AS n,
    rules.majority_takes(b.annotators_per_item) AS majority_takes
  FROM current_patterns f
  JOIN annotation_app_batch b ON b.id = f.batch
  WHERE %(stage)s::text IS NULL OR f.stage = %(stage)s
  GROUP BY f.stage, b.number, b.codebook_id, f.majorities, f.raters, f.labels, b.annotators_per_item
)
