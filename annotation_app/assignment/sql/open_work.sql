-- Assignments in batches that are not frozen, by person and batch. The projects follow from the people, but naming them
-- keeps PostgreSQL from reading the batches of all other projects.
SELECT a.annotator_id, i.batch_id,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped', 'surplus')),
    count(*) FILTER (WHERE a.state = 'claimed'),
    count(*) FILTER (WHERE a.state = 'open'),
    count(*) FILTER (WHERE a.state = 'withdrawn'),
    b.suggestions_id, b.people_added, b.priority
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE a.annotator_id = ANY(%(members)s) AND b.project_id = ANY(%(projects)s) AND b.frozen_at IS NULL
GROUP BY a.annotator_id, i.batch_id, b.suggestions_id, b.people_added, b.priority
HAVING bool_or(a.state <> 'withdrawn')
