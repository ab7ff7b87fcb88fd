-- Items of the rounds whose codebook has a span layer: given out, marked by someone, with a validated result.
SELECT
  count(*),
  count(*) FILTER (WHERE EXISTS (
    SELECT 1 FROM annotation_app_assignment a WHERE a.batch_item_id = i.id AND a.state = 'submitted'
  )),
  count(*) FILTER (WHERE (
    SELECT v.decision FROM annotation_app_validation v WHERE v.batch_item_id = i.id ORDER BY v.revision DESC LIMIT 1
  ) IN ('accepted', 'edited'))
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
WHERE b.project_id = %(project)s AND b.kind = 'round' AND b.codebook_id = ANY(%(layered)s)
