-- Answers that were given under suggestions, by model, mode and stage, beside what the model had predicted.
-- `before`: the first annotation with suggestions on the screen. `after`: the last annotation before the annotator saw
-- a suggestion, or the one that counts now where they never saw any; only those who saw one while
-- the batch was open could change it for that.
WITH before AS (
    SELECT DISTINCT ON (a.id) a.id AS assignment, a.current_id, i.item_id, n.id AS annotation, s.mode, s.evaluation_id,
        s.system, true AS saw
    FROM annotation_app_batch b
    JOIN rules.data_item i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    JOIN annotation_app_annotation n ON n.assignment_id = a.id AND n.suggestions_shown
        AND n.skip_reason = ''
    JOIN annotation_app_suggestionsetting s ON s.id = n.suggestions_id AND s.mode = 'before'
    WHERE b.project_id = %(project)s
    ORDER BY a.id, n.revision
), after AS (
    SELECT DISTINCT ON (a.id) a.id AS assignment, a.current_id, i.item_id, n.id AS annotation, s.mode, s.evaluation_id,
        s.system, coalesce(a.suggestions_shown_at < coalesce(b.frozen_at, 'infinity'), false) AS saw
    FROM annotation_app_batch b
    JOIN rules.data_item i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    JOIN annotation_app_annotation n ON n.assignment_id = a.id AND NOT n.suggestions_shown
        AND n.skip_reason = ''
        AND n.created_at <= coalesce(a.suggestions_shown_at, 'infinity')
    JOIN annotation_app_suggestionsetting s ON s.batch_id = b.id AND s.mode = 'after'
        AND CASE WHEN a.suggestions_shown_at IS NULL THEN s.id = n.suggestions_id
            ELSE s.set_at <= a.suggestions_shown_at END
    WHERE b.project_id = %(project)s
    ORDER BY a.id, n.revision DESC, s.id DESC
)
SELECT e.number, given.system, given.mode, answer.stage, count(*) AS n,
    count(*) FILTER (WHERE answer.label = p.label) AS agree,
    count(*) FILTER (WHERE given.saw) AS saw,
    count(*) FILTER (WHERE given.saw AND now.label IS DISTINCT FROM answer.label) AS changed,
    count(*) FILTER (WHERE given.saw AND now.label IS DISTINCT FROM answer.label AND now.label = p.label) AS towards
FROM (SELECT * FROM before UNION ALL SELECT * FROM after) AS given
JOIN annotation_app_evaluation e ON e.id = given.evaluation_id
JOIN annotation_app_answer answer ON answer.annotation_id = given.annotation
JOIN annotation_app_prediction p ON p.evaluation_id = given.evaluation_id AND p.system = given.system
    AND p.item_id = given.item_id AND p.stage = answer.stage AND p.label IS NOT NULL
LEFT JOIN annotation_app_answer now ON now.annotation_id = given.current_id AND now.stage = answer.stage
GROUP BY e.number, given.system, given.mode, answer.stage
ORDER BY e.number, given.system, given.mode
