-- The pairs of a view together (a = b = 0): each statistic's mean over the pairs that have a value, each pair weighing
-- the same. Precision and recall have no mean, as they swap with the order of the two; alpha_u of everyone is no mean.
SELECT
  category, round, 0 AS a, 0 AS b,
  CASE statistic WHEN 'alpha_u' THEN 'alpha_u_pair_mean' ELSE statistic END AS statistic,
  avg(value) AS value, coalesce(sum(n) FILTER (WHERE value IS NOT NULL), 0) AS n,
  CASE WHEN count(value) = 0 THEN string_agg(DISTINCT reason, '; ') END AS reason,
  count(value) AS pairs
FROM spans_figures
WHERE a > 0 AND statistic NOT LIKE '%%precision' AND statistic NOT LIKE '%%recall'
GROUP BY category, round, statistic
