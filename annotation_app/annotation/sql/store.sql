-- One revision of an annotation with its answers and spans, and the assignment's new state.
WITH
stored AS (
  INSERT INTO annotation_app_annotation (
    uuid, assignment_id, revision, base_revision, client_id, body_hash, codebook_id, comment, skip_reason,
    context_opened, active_ms, wall_ms, suggestions_id, suggestions_shown, created_at
  )
  VALUES (
    %(uuid)s, %(assignment_id)s, %(revision)s, %(base_revision)s, %(client_id)s, %(body_hash)s, %(codebook_id)s,
    %(comment)s, %(skip_reason)s, %(context_opened)s, %(active_ms)s, %(wall_ms)s, %(suggestions_id)s,
    %(suggestions_shown)s, %(created_at)s
  )
  RETURNING id
),

stored_answers AS (
  INSERT INTO annotation_app_answer (annotation_id, stage, label)
  SELECT stored.id, stage, label
  FROM stored
  CROSS JOIN unnest(%(stages)s::text[], %(labels)s::text[]) AS answer (stage, label)
),

stored_spans AS (
  INSERT INTO annotation_app_span
    (annotation_id, place, start, "end", quote, category, comment, source_document_id)
  SELECT stored.id, given_spans.*
  FROM stored
  CROSS JOIN given_spans
),

answered AS (
  UPDATE annotation_app_assignment
  SET state = %(assignment_state)s, slot = %(slot)s, current_id = stored.id, done_at = coalesce(done_at, %(created_at)s)
  FROM stored
  WHERE annotation_app_assignment.id = %(assignment_id)s
)

SELECT id FROM stored
