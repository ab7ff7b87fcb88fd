WITH
-- The answers to an item: {stage: {number of the annotator: label}}.
said AS (
  SELECT f.unit, jsonb_object_agg(f.stage, jsonb_object(f.raters::text[], f.labels::text[])) AS said
  FROM stage_answers f
  GROUP BY f.unit
),

-- The stages of the project that are answered with numbers.
number_stages AS MATERIALIZED (
  SELECT s.codebook, s.stage
  FROM rules.number_stage s
  JOIN annotation_app_codebookversion c ON c.id = s.codebook
  WHERE c.project_id = %(project)s
),

-- The medians of an item: {stage: median}.
medians AS (
  SELECT f.unit, jsonb_object_agg(f.stage, rules.median(f.labels)) AS medians
  FROM stage_answers f
  JOIN annotation_app_batch b ON b.id = f.batch
  JOIN number_stages s ON s.codebook = b.codebook_id AND s.stage = f.stage
  GROUP BY f.unit
)

-- Every item of the rounds' batches with its majorities, votes, medians and answers, and with the decision on it, in the order
-- of the text.
SELECT
  item.external_id, item.text, item.number, item.start, item."end", item.utterance_id,
  u.speaker, d.external_id, d.title, u.external_id, u.position,
  b.number, b.codebook_id, i.score, i.rank,
  coalesce(y.majorities, '{}')::text, coalesce(y.votes, '{}')::text, coalesce(m.medians, '{}')::text,
  settled.decision,
  (
    SELECT coalesce(jsonb_agg(
      jsonb_build_array(
        s.start, s."end", s.category, s.comment,
        (SELECT d.external_id FROM annotation_app_sourcedocument d WHERE d.id = s.source_document_id)
      ) ORDER BY s.place
    ), '[]')
    FROM (
      SELECT place, start, "end", category, comment, source_document_id
      FROM annotation_app_span WHERE settled.decision = 'accepted' AND annotation_id = settled.annotation_id
      UNION ALL
      SELECT place, start, "end", category, comment, source_document_id
      FROM annotation_app_validatedspan WHERE settled.decision = 'edited' AND validation_id = settled.id
    ) s
  )::text,
  coalesce(s.said, '{}')::text, coalesce(e.labels, '{}')::text, e.source,
  coalesce(r.revised, false), coalesce(g.finished, false),
  CASE item.left_out WHEN 'by_admin' THEN item.left_out_reason END,
  (d.meta || u.meta || item.meta)::text
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_utterance u ON u.id = item.utterance_id
JOIN annotation_app_document d ON d.id = item.document_id
LEFT JOIN item_majorities y ON y.unit = i.id
LEFT JOIN rules.latest_validation settled ON settled.batch_item_id = i.id
LEFT JOIN medians m ON m.unit = i.id
LEFT JOIN said s ON s.unit = i.id
LEFT JOIN decided e ON e.unit = i.id
LEFT JOIN revised r ON r.unit = i.id
LEFT JOIN rules.item_progress g ON g.batch_item = i.id AND g.project = %(project)s AND g.kind = 'round'
WHERE b.project_id = %(project)s
ORDER BY item.document_id, u.position, item.start, b.number
