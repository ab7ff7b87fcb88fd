-- The comments to compare word by word: of exactly matched spans that both commented, how often each two stand so.
SELECT
  coalesce(category, 0) AS category, coalesce(round, 0) AS round, a, b, comment_a, comment_b, count(*) AS n
FROM spans_comments
WHERE comment_a <> '' AND comment_b <> ''
GROUP BY comment_a, comment_b, GROUPING SETS ((category, round, a, b), (category, a, b), (round, a, b), (a, b))
