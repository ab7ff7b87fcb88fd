-- Of the items that a person answered at one stage, how many got each label, and which share.
SELECT rater, label, n::bigint, n / sum(n) OVER (PARTITION BY rater) AS share FROM said ORDER BY rater, label
