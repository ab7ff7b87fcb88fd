-- What each person said beside the majority of the others at each stage, counted.
SELECT stage, rater, label, others, sum(n)::bigint AS n FROM others_majority GROUP BY stage, rater, label, others
