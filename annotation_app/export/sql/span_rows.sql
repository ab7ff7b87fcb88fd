-- What was marked in the rounds' items: by annotators in assignments that count, and what validators made of it.
WITH made AS (
  SELECT
    a.batch_item_id, 'submitted' AS state, m.number, person.username, n.uuid, n.created_at,
    n.id AS annotation, NULL::bigint AS validation
  FROM rules.round_batch b
  JOIN rules.data_item i ON i.batch_id = b.id
  JOIN annotation_app_assignment a ON a.batch_item_id = i.id AND a.state = 'submitted'
  JOIN annotation_app_annotation n ON n.id = a.current_id
  JOIN annotation_app_membership m ON m.id = a.annotator_id
  JOIN annotation_app_user person ON person.id = m.user_id
  WHERE b.project_id = %(project)s AND %(of)s IN ('all', 'annotators')
  UNION ALL
  SELECT s.batch_item, 'validated', NULL, NULL, s.uuid, s.created_at, s.annotation, s.validation
  FROM rules.settled_item s
  WHERE s.project = %(project)s AND %(of)s IN ('all', 'validated')
)
SELECT
  item.external_id, item.uuid, item.text, d.external_id, d.title, u.speaker, u.position, b.number, b.codebook_id,
  made.state, made.number, made.username, made.uuid, made.created_at,
  (
    SELECT coalesce(jsonb_agg(
      jsonb_build_array(
        s.start, s."end", s.category, s.comment,
        (SELECT d.external_id FROM annotation_app_sourcedocument d WHERE d.id = s.source_document_id)
      ) ORDER BY s.place
    ), '[]')
    FROM (
      SELECT place, start, "end", category, comment, source_document_id
      FROM annotation_app_span WHERE annotation_id = made.annotation
      UNION ALL
      SELECT place, start, "end", category, comment, source_document_id
      FROM annotation_app_validatedspan WHERE validation_id = made.validation
    ) s
  )::text,
  (
    SELECT coalesce(jsonb_agg(
      jsonb_build_array(source.external_id, source.uuid, source.title, CASE WHEN %(source_texts)s THEN source.text END)
      ORDER BY link.position
    ), '[]')
    FROM annotation_app_itemsource link
    CROSS JOIN LATERAL (
      SELECT * FROM annotation_app_sourcedocument d WHERE d.id = link.source_document_id OFFSET 0
    ) AS source
    WHERE link.item_id = item.id
  )::text,
  CASE item.left_out WHEN 'by_admin' THEN item.left_out_reason END,
  (d.meta || u.meta || item.meta)::text
FROM made
JOIN rules.data_item i ON i.id = made.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_document d ON d.id = item.document_id
JOIN annotation_app_utterance u ON u.id = item.utterance_id
WHERE b.codebook_id = ANY(%(layered)s)
ORDER BY b.number, i.rank, made.state, made.number
