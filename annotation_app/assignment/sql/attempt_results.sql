-- How far each attempt at a practice is: the items that are asked for, those that are done, and those that are right.
SELECT batch, count(*), count(*) FILTER (WHERE done), count(*) FILTER (WHERE right_answer)
FROM rules.graded_answer
WHERE batch = ANY(%(batches)s)
GROUP BY batch
