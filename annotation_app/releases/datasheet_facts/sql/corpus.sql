-- One row: what was imported, whether it was handed out or not.
SELECT
  (SELECT count(*) FROM annotation_app_document d WHERE d.project_id = %(project)s) AS documents,
  (
    SELECT count(*) FROM annotation_app_utterance u JOIN annotation_app_document d ON d.id = u.document_id
    WHERE d.project_id = %(project)s
  ) AS utterances,
  count(*) AS items,
  -- What an admin left out after it was given out stays in what the given ones are a part of.
  count(*) FILTER (
    WHERE i.left_out = '' OR i.left_out = 'by_admin' AND EXISTS (SELECT FROM rules.data_item b WHERE b.item_id = i.id)
  ) AS pool,
  count(*) FILTER (WHERE i.left_out = 'too_short') AS too_short,
  count(*) FILTER (WHERE i.left_out = 'too_long') AS too_long,
  count(*) FILTER (WHERE i.left_out = 'by_admin') AS by_admin,
  (SELECT count(*) FROM annotation_app_sourcedocument s WHERE s.project_id = %(project)s) AS sources,
  (
    SELECT count(DISTINCT u.speaker) FROM annotation_app_utterance u JOIN annotation_app_document d ON d.id = u.document_id
    WHERE d.project_id = %(project)s AND u.speaker <> ''
  ) AS speakers
FROM annotation_app_item i
WHERE i.project_id = %(project)s
