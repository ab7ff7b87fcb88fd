-- Rows of the table of answers: one an answer, and one for an annotation without any.
SELECT coalesce(sum(greatest(1, (SELECT count(*) FROM annotation_app_answer x WHERE x.annotation_id = n.id))), 0)
FROM annotation_app_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_annotation n ON n.assignment_id = a.id
WHERE b.project_id = %(project)s AND b.kind IN ('round', 'second_look') AND (%(all_revisions)s OR n.id = a.current_id)
