-- As chosen, of the answers after second looks. They are few, and are folded anew each time instead of being kept up.
chosen AS (
  SELECT f.stage, b.number AS round, b.codebook_id AS codebook, f.majorities, f.raters, f.labels, count(*) AS n,
    b.annotators_per_item / 2 + 1 AS majority_takes
  FROM fresh f
  JOIN annotation_app_batch b ON b.id = f.batch
  WHERE %(stage)s::text IS NULL OR f.stage = %(stage)s
  GROUP BY f.stage, b.number, b.codebook_id, f.majorities, f.raters, f.labels, b.annotators_per_item
)
