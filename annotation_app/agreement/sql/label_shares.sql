-- Of the items that a person answered at one stage, how many got each label, and which share.
SELECT rater, label, n::bigint, (n / sum(n) OVER (PARTITION BY rater))::float8 AS share
FROM said
WHERE stage = %(stage)s AND round = %(round)s
ORDER BY rater, label
