-- How people did with the check items of the named batches. A skip is no answer, and what was withdrawn is not asked for.
SELECT annotator, count(*) FILTER (WHERE done AND NOT skipped), count(*) FILTER (WHERE right_answer),
  count(*) FILTER (WHERE skipped)
FROM rules.graded_answer
WHERE is_check AND batch = ANY(%(batches)s)
GROUP BY annotator
