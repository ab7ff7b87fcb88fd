-- What was decided about items of the rounds and stands: adjudications by where they come from, validations by what they
-- say; with the people who decided.
SELECT d.source AS kind, count(*) AS items, count(DISTINCT d.adjudicator_id) AS people
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN rules.latest_decision d ON d.batch_item_id = i.id AND NOT d.withdraws
WHERE b.project_id = %(project)s
GROUP BY d.source
UNION ALL
SELECT v.decision, count(*), count(DISTINCT v.validator_id)
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN rules.latest_validation v ON v.batch_item_id = i.id AND v.decision <> 'reopened'
WHERE b.project_id = %(project)s
GROUP BY v.decision
