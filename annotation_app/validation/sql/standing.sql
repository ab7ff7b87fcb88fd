-- How far the validation is of every item of the project in which people mark spans, or of the one that is named. It
-- counts in the newest round's, prototype or chosen batch that has a span layer, since a second look is not independent. What
-- was decided stands, whatever becomes of the slots. It is `revised` once an annotation that counts was changed after it.
standing AS (
  SELECT
      i.batch_item, i.item, i.uuid, i.batch, i.number, i.kind, i.codebook, i.rank, i.done, i.needed,
      CASE
          WHEN v.decision IN ('accepted', 'edited', 'rejected') THEN v.decision
          WHEN i.finished THEN 'open'
          ELSE 'waiting'
      END AS state,
      CASE
          WHEN v.decision IN ('accepted', 'edited', 'rejected') THEN EXISTS (
              SELECT FROM annotation_app_assignment a
              JOIN annotation_app_annotation n ON n.id = a.current_id
              LEFT JOIN annotation_app_annotation named ON named.id = v.annotation_id AND named.assignment_id = a.id
              WHERE a.batch_item_id = i.batch_item
                  AND (a.state IN ('submitted', 'skipped') AND n.created_at > v.created_at OR n.id <> named.id)
          )
          ELSE false
      END AS revised
  FROM (
      SELECT DISTINCT ON (p.item)
          p.batch_item, p.item, t.uuid, p.batch, p.number, p.kind, p.codebook, p.rank, p.done, p.needed, p.finished
      FROM rules.item_progress p
      JOIN annotation_app_codebookversion c
          ON c.id = p.codebook AND jsonb_typeof(c.definition -> 'span_layer') = 'object'
      JOIN annotation_app_item t ON t.id = p.item
      WHERE p.project = %(project)s AND p.kind IN ('round', 'prototype', 'chosen')
          AND (%(item)s::uuid IS NULL OR t.uuid = %(item)s::uuid)
      ORDER BY p.item, p.batch DESC
  ) AS i
  LEFT JOIN rules.latest_validation v ON v.batch_item_id = i.batch_item
),

placed AS (
  SELECT *, row_number() OVER (ORDER BY batch, rank) AS place FROM standing
)
