-- How often each label was given to an item at a stage, and whether that is the majority: more than half of
-- the slots that the batch gives an item, not of the answers that happen to exist. At most one label can be.
SELECT v.unit, v.stage, v.label, count(*) AS n, 2 * count(*) > b.annotators_per_item AS is_majority
FROM votes v
JOIN annotation_app_batch b ON b.id = v.batch
GROUP BY v.unit, v.stage, v.label, b.annotators_per_item
