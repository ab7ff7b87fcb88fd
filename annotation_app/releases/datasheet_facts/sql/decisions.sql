-- What was decided about items of the rounds and stands: adjudications by where they come from, validations by what they
-- say; with the people who decided.
SELECT kind, count(*) AS items, count(DISTINCT person) AS people
FROM (
  SELECT DISTINCT ON (d.batch_item_id) d.source AS kind, d.adjudicator_id AS person, NOT d.withdraws AS stands
  FROM annotation_app_adjudication d
  JOIN annotation_app_batchitem i ON i.id = d.batch_item_id
  JOIN annotation_app_batch b ON b.id = i.batch_id
  WHERE b.project_id = %(project)s AND b.kind = 'round'
  ORDER BY d.batch_item_id, d.revision DESC
) AS adjudicated
WHERE stands
GROUP BY kind
UNION ALL
SELECT kind, count(*), count(DISTINCT person)
FROM (
  SELECT DISTINCT ON (v.batch_item_id) v.decision AS kind, v.validator_id AS person
  FROM annotation_app_validation v
  JOIN annotation_app_batchitem i ON i.id = v.batch_item_id
  JOIN annotation_app_batch b ON b.id = i.batch_id
  WHERE b.project_id = %(project)s AND b.kind = 'round'
  ORDER BY v.batch_item_id, v.revision DESC
) AS validated
WHERE kind <> 'reopened'
GROUP BY kind
