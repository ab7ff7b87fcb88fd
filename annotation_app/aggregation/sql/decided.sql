-- What was decided about an item in a batch: {stage: label} and the source of the latest decision, unless that one takes
-- back what stood before it.
SELECT d.batch_item_id AS unit, d.source, jsonb_object_agg(l.stage, l.label) AS labels
FROM (
  SELECT DISTINCT ON (a.batch_item_id) a.id, a.batch_item_id, a.source
  FROM annotation_app_batch b
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_adjudication a ON a.batch_item_id = i.id
  WHERE b.project_id = %(project)s
  ORDER BY a.batch_item_id, a.revision DESC
) AS d
JOIN annotation_app_adjudicatedlabel l ON l.adjudication_id = d.id
GROUP BY d.batch_item_id, d.source
