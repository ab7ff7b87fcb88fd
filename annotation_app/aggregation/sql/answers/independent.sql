-- The answers of the annotations that count.
votes AS (
  SELECT s.unit, s.batch, s.rater, x.stage, x.label
  FROM submitted s
  JOIN annotation_app_answer x ON x.annotation_id = s.annotation
)
