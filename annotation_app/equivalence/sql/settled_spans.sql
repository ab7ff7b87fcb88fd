-- The settled items of a project, and whether the reader may see their spans: no answer of the reader's own about the
-- item can change. Who neither manages nor validates sees closed batches alone, and there only where nobody's can.
-- Without a reader all are seen.
settled AS (
  SELECT
    s.batch, s.batch_item, s.item, s.annotation, s.validation,
    CASE
        WHEN %(reader)s::bigint IS NULL THEN true
        WHEN %(sees_open)s THEN NOT EXISTS (
            SELECT FROM rules.changeable_answer c
            WHERE c.project = %(project)s AND c.item = s.item AND c.annotator = %(reader)s
        )
        ELSE (b.frozen_at IS NOT NULL OR b.closed_at IS NOT NULL) AND NOT EXISTS (
            SELECT FROM rules.changeable_answer c WHERE c.project = %(project)s AND c.item = s.item
        )
    END AS is_seen
  FROM rules.settled_item s
  JOIN annotation_app_batch b ON b.id = s.batch
  WHERE s.project = %(project)s
),

spans AS (
  SELECT t.batch, t.item, p.start, p."end", p.quote, p.category, p.comment
  FROM settled t
  JOIN annotation_app_span p ON p.annotation_id = t.annotation
  WHERE t.is_seen
  UNION ALL
  SELECT t.batch, t.item, p.start, p."end", p.quote, p.category, p.comment
  FROM settled t
  JOIN annotation_app_validatedspan p ON p.validation_id = t.validation
  WHERE t.is_seen
)
