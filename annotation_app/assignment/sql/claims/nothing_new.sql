new AS (
  SELECT * FROM annotation_app_assignment WHERE false
)
