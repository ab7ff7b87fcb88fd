SELECT DISTINCT b.codebook_id, p.majorities
FROM annotation_app_answerpattern p
JOIN annotation_app_batch b ON b.id = p.batch_id
WHERE p.batch_id = ANY(ARRAY(SELECT id FROM annotation_app_batch WHERE project_id = %(project)s)) AND p.n <> p.n_applied
