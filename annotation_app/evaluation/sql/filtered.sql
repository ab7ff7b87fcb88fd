-- The predictions that are asked for, each with the gold label and with the cause that was named last.
filtered AS (
  SELECT p.id, p.stage, p.label, p.confidence, g.label AS gold, g.is_unanimous, marked.cause_id AS cause
  FROM annotation_app_prediction p
  LEFT JOIN annotation_app_goldlabel g
    ON g.evaluation_id = p.evaluation_id AND g.stage = p.stage AND g.item_id = p.item_id
  LEFT JOIN LATERAL (
    SELECT m.cause_id FROM annotation_app_errormark m WHERE m.prediction_id = p.id ORDER BY m.id DESC LIMIT 1
  ) AS marked ON true
  WHERE p.evaluation_id = %(evaluation)s
    AND (%(prediction)s::bigint IS NULL OR p.id = %(prediction)s)
    AND (%(system_name)s::text IS NULL OR p.system = %(system_name)s)
    AND (%(stage)s::text IS NULL OR p.stage = %(stage)s)
    AND (%(gold)s::text IS NULL OR g.label = %(gold)s)
    AND (%(predicted)s::text IS NULL OR p.label = %(predicted)s)
    AND (%(least_confidence)s::float IS NULL OR p.confidence >= %(least_confidence)s)
    -- An answer without a label is wrong where there is a gold label.
    AND CASE %(which)s
      WHEN 'errors' THEN g.label IS NOT NULL AND p.label IS DISTINCT FROM g.label
      WHEN 'not_compliant' THEN p.label IS NULL
      ELSE true
    END
    AND CASE %(agreement)s
      WHEN 'unanimous' THEN coalesce(g.is_unanimous, false)
      WHEN 'majority' THEN NOT coalesce(g.is_unanimous, true)
      ELSE true
    END
    AND CASE %(cause)s
      WHEN 'any' THEN true
      WHEN 'none' THEN marked.cause_id IS NULL
      ELSE marked.cause_id = (SELECT c.id FROM annotation_app_errorcause c WHERE c.uuid::text = %(cause)s)
    END
)
