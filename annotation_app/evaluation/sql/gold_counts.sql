-- How many gold labels the stages of evaluations have.
SELECT evaluation_id, stage, count(*) AS n
FROM annotation_app_goldlabel
WHERE evaluation_id = ANY(%(evaluations)s)
GROUP BY evaluation_id, stage
