-- Of the items that a rater answered at one stage, how many got each label, and which share.
SELECT rater, label, n::bigint, n / sum(n) OVER (PARTITION BY rater) AS share FROM label_margins ORDER BY rater, label
