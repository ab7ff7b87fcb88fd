-- What was decided about an item in a batch: {stage: label}, the source and the time of the latest decision, unless that
-- one takes back what stood before it.
SELECT
  d.batch_item_id AS unit, d.batch_id AS batch, d.item_id AS item, d.source, d.created_at AS made_at,
  jsonb_object_agg(l.stage, l.label) AS labels
FROM (
  SELECT DISTINCT ON (a.batch_item_id) a.id, a.batch_item_id, a.source, a.created_at, i.batch_id, i.item_id
  FROM annotation_app_batch b
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_adjudication a ON a.batch_item_id = i.id
  WHERE b.project_id = %(project)s
  ORDER BY a.batch_item_id, a.revision DESC
) AS d
JOIN annotation_app_adjudicatedlabel l ON l.adjudication_id = d.id
GROUP BY d.batch_item_id, d.batch_id, d.item_id, d.source, d.created_at
