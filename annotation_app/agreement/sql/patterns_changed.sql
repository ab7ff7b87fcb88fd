-- Patterns whose count has changed since it was put into the bags, by batch. `settled` as in patterns_majority.sql.
SELECT
  p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.n - p.n_bagged AS n,
  coalesce(%(settled)s::jsonb -> concat_ws(' ', b.codebook_id, p.majorities) ? p.stage, false) AS is_settled
FROM annotation_app_answerpattern p
JOIN annotation_app_batch b ON b.id = p.batch_id
WHERE p.batch_id = ANY(ARRAY(SELECT id FROM annotation_app_batch WHERE project_id = %(project)s)) AND p.n <> p.n_bagged
LIMIT %(at_once)s
