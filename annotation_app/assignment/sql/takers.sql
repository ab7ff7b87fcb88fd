-- How many of one person's items each other person could take: those they were never given, or had withdrawn and have
-- not seen the answers of.
SELECT t.annotator_id, m.id, count(*)
FROM to_answer t
JOIN annotation_app_membership m
    ON m.project_id = %(project)s AND m.is_active AND m.role = ANY(%(raters)s) AND m.id <> t.annotator_id
WHERE NOT EXISTS (
    SELECT FROM annotation_app_assignment had
    WHERE had.batch_item_id = t.batch_item_id AND had.annotator_id = m.id
        AND (had.state <> 'withdrawn' OR had.answers_revealed_at IS NOT NULL)
)
GROUP BY t.annotator_id, m.id
