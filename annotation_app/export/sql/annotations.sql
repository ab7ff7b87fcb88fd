-- Current annotations of the rounds' assignments and of second looks at them (phase 2), or all their revisions. Surplus
-- ones are here too, with their state.
SELECT
  item.external_id, item.text, b.number, m.number, person.username,
  a.state, n.revision, n.id = a.current_id,
  (SELECT coalesce(jsonb_object_agg(x.stage, x.label), '{}') FROM annotation_app_answer x WHERE x.annotation_id = n.id)::text,
  n.comment, n.skip_reason, n.context_opened, n.active_ms, n.wall_ms, n.created_at, n.codebook_id,
  (
    SELECT coalesce(jsonb_agg(
      jsonb_build_array(
        s.start, s."end", s.category, s.comment,
        (SELECT d.external_id FROM annotation_app_sourcedocument d WHERE d.id = s.source_document_id)
      ) ORDER BY s.place
    ), '[]')
    FROM annotation_app_span s
    WHERE s.annotation_id = n.id
  )::text,
  CASE b.kind WHEN 'second_look' THEN 2 ELSE 1 END,
  CASE item.left_out WHEN 'by_admin' THEN item.left_out_reason END,
  (d.meta || u.meta || item.meta)::text,
  setting.mode, setting.system, evaluation.number, n.suggestions_shown
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_utterance u ON u.id = item.utterance_id
JOIN annotation_app_document d ON d.id = item.document_id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_user person ON person.id = m.user_id
JOIN annotation_app_annotation n ON n.assignment_id = a.id
LEFT JOIN annotation_app_suggestionsetting setting ON setting.id = n.suggestions_id
LEFT JOIN annotation_app_evaluation evaluation ON evaluation.id = setting.evaluation_id
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'second_look') AND (%(all_revisions)s OR n.id = a.current_id)
ORDER BY b.number, b.kind = 'second_look', i.rank, m.number, n.revision
