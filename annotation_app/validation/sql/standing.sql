-- Every item of the project in which people mark spans, or the one that is named, in the newest round's or prototype
-- batch that has a span layer, since a second look is not independent.
selected_items AS (
  SELECT DISTINCT ON (i.item_id)
      i.id AS batch_item, i.item_id AS item, t.uuid, b.id AS batch, b.number, b.kind, b.codebook_id AS codebook, i.rank,
      b.annotators_per_item
  FROM annotation_app_batch b
  JOIN annotation_app_codebookversion c ON c.id = b.codebook_id AND jsonb_typeof(c.definition -> 'span_layer') = 'object'
  JOIN annotation_app_batchitem i ON i.batch_id = b.id
  JOIN annotation_app_item t ON t.id = i.item_id
  WHERE b.project_id = %(project)s AND b.kind IN ('round', 'prototype')
      AND (%(item)s::uuid IS NULL OR t.uuid = %(item)s::uuid)
  ORDER BY i.item_id, b.id DESC
),

-- How far the validation of each item is. An item needs the slots that its batch gives, or as many as people are left
-- for it; skipped counts as done, surplus does not. What was decided stands, whatever becomes of the slots. It is
-- `revised` once an annotation that counts was changed after it.
standing AS (
  SELECT
      i.batch_item, i.item, i.uuid, i.batch, i.number, i.kind, i.codebook, i.rank,
      coalesce(own.done, 0) AS done,
      least(i.annotators_per_item, coalesce(own.there, 0)) AS needed,
      CASE
          WHEN v.decision IN ('accepted', 'edited', 'rejected') THEN v.decision
          WHEN own.done > 0 AND own.done >= least(i.annotators_per_item, own.there) THEN 'open'
          ELSE 'waiting'
      END AS state,
      coalesce(v.decision <> 'reopened' AND (own.changed > v.created_at OR v.replaced), false) AS revised
  FROM selected_items i
  LEFT JOIN (
      SELECT
          a.batch_item_id,
          count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
          count(*) FILTER (WHERE a.state <> 'withdrawn') AS there,
          max(n.created_at) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS changed
      FROM selected_items i
      JOIN annotation_app_assignment a ON a.batch_item_id = i.batch_item
      LEFT JOIN annotation_app_annotation n ON n.id = a.current_id
      GROUP BY a.batch_item_id
  ) AS own ON own.batch_item_id = i.batch_item
  LEFT JOIN (
      SELECT DISTINCT ON (d.batch_item_id)
          d.batch_item_id, d.decision, d.created_at, a.current_id <> d.annotation_id AS replaced
      FROM selected_items i
      JOIN annotation_app_validation d ON d.batch_item_id = i.batch_item
      LEFT JOIN annotation_app_annotation n ON n.id = d.annotation_id
      LEFT JOIN annotation_app_assignment a ON a.id = n.assignment_id
      ORDER BY d.batch_item_id, d.revision DESC
  ) AS v ON v.batch_item_id = i.batch_item
),

placed AS (
  SELECT *, row_number() OVER (ORDER BY batch, rank) AS place FROM standing
)
