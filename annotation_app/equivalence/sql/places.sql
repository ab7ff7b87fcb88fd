-- The spans of a category that may have `text` as a part, each with what stands around it in its item.
-- Parameters: project, reader, sees_open, category, text, around (code points).
SELECT
  i.external_id, i.uuid,
  substr(i.text, greatest(1, s.start - %(around)s + 1), least(%(around)s, s.start)),
  s.quote, s.comment,
  substr(i.text, s."end" + 1, %(around)s),
  b.number
FROM spans s
JOIN annotation_app_item i ON i.id = s.item
JOIN annotation_app_batch b ON b.id = s.batch
WHERE s.category = %(category)s AND (strpos(s.quote || ' (' || s.comment || ')', %(text)s) > 0
    OR s.comment <> '' AND strpos(%(text)s, btrim(s.comment, E' \t\r\n')) > 0)
ORDER BY b.number, i.external_id, s.start, s."end", s.quote, s.comment
