-- How many predictions each cause was named for last.
SELECT c.uuid, c.name, count(marked.prediction_id)
FROM annotation_app_errorcause c
LEFT JOIN (
  SELECT DISTINCT ON (m.prediction_id) m.prediction_id, m.cause_id
  FROM annotation_app_errormark m
  JOIN annotation_app_prediction p ON p.id = m.prediction_id
  JOIN annotation_app_evaluation e ON e.id = p.evaluation_id
  WHERE e.project_id = %(project)s
  ORDER BY m.prediction_id, m.id DESC
) AS marked ON marked.cause_id = c.id
WHERE c.project_id = %(project)s
GROUP BY c.id
ORDER BY c.name
