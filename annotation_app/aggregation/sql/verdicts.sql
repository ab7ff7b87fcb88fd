-- What identical answers come to, found once for all items that got them: how often each label was given, and which is
-- the majority: more than half of the slots that the batch gives an item, not of the answers that happen to exist.
SELECT d.batch, d.stage, d.labels, c.votes, c.majority
FROM (SELECT DISTINCT batch, stage, labels FROM folded) AS d
JOIN annotation_app_batch b ON b.id = d.batch
CROSS JOIN LATERAL (
  SELECT jsonb_object_agg(label, n) AS votes, max(label) FILTER (WHERE 2 * n > b.annotators_per_item) AS majority
  FROM (SELECT label, count(*) AS n FROM unnest(d.labels) AS l(label) GROUP BY label) AS counted
) AS c
-- Keeps the counting here: moved into a join it would be done again for every item.
OFFSET 0
