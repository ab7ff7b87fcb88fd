-- As votes.sql, of few annotations: each is looked up by itself.
SELECT s.unit, s.batch, s.rater, x.stage, x.label
FROM submitted s
CROSS JOIN LATERAL (
  SELECT y.stage, y.label FROM annotation_app_answer y WHERE y.annotation_id = s.annotation OFFSET 0
) AS x
