-- The spans of a reviewer's own version.
WITH
stored AS (
  INSERT INTO annotation_app_validatedspan
    (validation_id, place, start, "end", quote, category, comment, source_document_id)
  SELECT %(validation)s, given_spans.*
  FROM given_spans
  RETURNING id
)

SELECT count(*) FROM stored
