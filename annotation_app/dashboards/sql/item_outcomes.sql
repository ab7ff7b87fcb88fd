-- What the items of the named batches came to, identical outcomes once for each batch, with the items that have it.
SELECT
  b.id, b.codebook_id,
  coalesce(y.majorities, '{}')::text AS majorities,
  coalesce(y.votes, '{}')::text AS votes,
  coalesce(d.labels, '{}')::text AS decided,
  coalesce(g.finished, false) AS finished,
  array_agg(i.item_id) AS items
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
LEFT JOIN rules.item_progress g ON g.batch_item = i.id AND g.batch = ANY(%(batches)s::bigint[])
LEFT JOIN item_majorities y ON y.unit = i.id
LEFT JOIN decided d ON d.unit = i.id
WHERE b.id = ANY(%(batches)s::bigint[])
GROUP BY b.id, b.codebook_id, y.majorities, y.votes, d.labels, g.finished
