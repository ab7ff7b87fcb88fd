-- Every item of the rounds' batches, or of those that are named, answered or not, with its majorities and votes, and
-- with the decision on it.
SELECT
  item.id,
  item.external_id,
  item.text,
  b.number,
  rules.majority_takes(b.annotators_per_item) AS takes,
  b.codebook_id,
  coalesce(u.majorities, '{}')::text AS majorities,
  coalesce(u.votes, '{}')::text AS votes,
  coalesce(d.labels, '{}')::text AS decided
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
LEFT JOIN item_majorities u ON u.unit = i.id
LEFT JOIN decided d ON d.unit = i.id AND %(adjudicated)s
WHERE b.project_id = %(project)s AND rules.is_selected(b.kind, b.id, %(batches)s)
ORDER BY b.number, i.rank
