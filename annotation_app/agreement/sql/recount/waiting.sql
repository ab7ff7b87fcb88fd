-- Whether the project has items to recount, or patterns that are not in the label combinations. These exist only until a
-- database that predates the combinations is first read.
SELECT EXISTS (
    SELECT FROM annotation_app_recountqueue q JOIN annotation_app_batch b ON b.id = q.batch
    WHERE b.project_id = %(project)s
) OR EXISTS (
    SELECT FROM annotation_app_answerpattern p
    WHERE p.batch_id = ANY(ARRAY(SELECT id FROM annotation_app_batch WHERE project_id = %(project)s))
        AND p.n <> p.n_applied
)
