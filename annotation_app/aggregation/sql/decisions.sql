-- The latest decision on each item of a batch that stands, with its source and time: {stage: label}. One that takes
-- back what stood before it has no labels, and no row here.
decided AS (
  SELECT
    i.id AS unit, i.batch_id AS batch, i.item_id AS item, d.source, d.created_at AS made_at,
    jsonb_object_agg(l.stage, l.label) AS labels
  FROM annotation_app_batch b
  JOIN rules.data_item i ON i.batch_id = b.id
  JOIN rules.latest_decision d ON d.batch_item_id = i.id
  JOIN annotation_app_adjudicatedlabel l ON l.adjudication_id = d.id
  WHERE b.project_id = %(project)s
  GROUP BY i.id, i.batch_id, i.item_id, d.id, d.source, d.created_at
),

-- Whether an answer that counts is newer than the decision on its item. In phase 1 these are the independent answers,
-- in phase 2 those of the second look too, which may have been taken after the decision. Looked up by index, decision
-- by decision.
revised AS (
  SELECT d.unit, greatest(
    (
      SELECT max((SELECT n.created_at FROM annotation_app_annotation n WHERE n.id = a.current_id))
      FROM annotation_app_assignment a
      WHERE a.batch_item_id = d.unit AND a.state IN ('submitted', 'skipped')
    ),
    (
      SELECT max((SELECT n.created_at FROM annotation_app_annotation n WHERE n.id = a.current_id))
      FROM annotation_app_assignment a
      WHERE %(phase)s = 2 AND a.state = 'submitted' AND a.batch_item_id = (
        SELECT again.id FROM rules.data_item again
        WHERE again.item_id = d.item AND again.batch_id = (
          SELECT later.id FROM annotation_app_batch later WHERE later.second_look_of_id = d.batch
        )
      )
    )
  ) > d.made_at AS revised
  FROM decided d
)
