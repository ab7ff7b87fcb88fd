-- Items of the rounds whose codebook has a span layer: given out, marked by someone, with a validated result.
SELECT
  count(*),
  count(*) FILTER (WHERE EXISTS (
    SELECT 1 FROM annotation_app_assignment a WHERE a.batch_item_id = i.id AND a.state = 'submitted'
  )),
  count(*) FILTER (WHERE (
    SELECT v.decision FROM rules.latest_validation v WHERE v.batch_item_id = i.id
  ) IN ('accepted', 'edited'))
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
WHERE b.project_id = %(project)s AND b.codebook_id = ANY(%(layered)s)
