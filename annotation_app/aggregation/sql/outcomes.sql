-- The outcomes of the rounds' items, and the decisions on them: identical outcomes once for each batch, with the
-- items that have it in the order of their rank.
SELECT
  b.codebook_id, b.number,
  coalesce(y.majorities, '{}')::text AS majorities,
  coalesce(y.votes, '{}')::text AS votes,
  coalesce(d.labels, '{}')::text AS decided,
  coalesce(g.finished, false) AS finished,
  coalesce(r.revised, false) AS revised,
  array_agg(i.rank ORDER BY i.rank) AS ranks,
  array_agg(i.id ORDER BY i.rank) AS units
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
LEFT JOIN rules.item_progress g ON g.batch_item = i.id AND g.project = %(project)s AND g.kind = 'round'
LEFT JOIN item_majorities y ON y.unit = i.id
LEFT JOIN decided d ON d.unit = i.id
LEFT JOIN revised r ON r.unit = i.id
WHERE b.project_id = %(project)s
  AND (%(batches)s::bigint[] IS NULL OR b.id = ANY(%(batches)s::bigint[]))
GROUP BY b.number, b.codebook_id, y.majorities, y.votes, d.labels, g.finished, r.revised
ORDER BY b.number
