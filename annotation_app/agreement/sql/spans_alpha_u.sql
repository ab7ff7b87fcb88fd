-- Krippendorff's alpha for unitizing, alpha_u, in the form of Krippendorff 1995 and of Content Analysis, 2nd ed. (2004),
-- 11.6: 1 - observed / expected disagreement; over all categories 1 - sum of observed / sum of expected, where these
-- stand on the same continuum. It takes any number of people; its authors revised it for more than two (Krippendorff et
-- al. 2016), which is another coefficient. `n` units, `n_merged` spans fewer than were marked, `length` code points.
SELECT
  category, r.round, a, b, n, n_merged, n_items, length,
  CASE WHEN reason IS NULL THEN (1 - observed / expected)::float8 END AS value,
  reason
FROM (
  SELECT
    coalesce(z.category, 0) AS category, z.round, z.a, z.b,
    coalesce(sum(e.n), 0) AS n, coalesce(sum(j.n_merged), 0) AS n_merged,
    max(z.n_items) AS n_items, max(z.length) AS length,
    coalesce(sum(o.disagreement), 0) AS observed, sum(e.disagreement) AS expected,
    CASE
      WHEN min(z.length) < max(z.length) THEN 'given by category: not every item''s codebook has them all'
      WHEN sum(e.n) IS NULL THEN CASE WHEN z.a = 0 THEN 'nobody marked it' ELSE 'neither marked it' END
      WHEN sum(e.disagreement) = 0 THEN 'no variation: no other place for what is marked'
    END AS reason
  FROM spans_sizes z
  LEFT JOIN spans_expected e USING (category, round, a, b)
  LEFT JOIN spans_observed o USING (category, round, a, b)
  LEFT JOIN spans_joined j USING (category, round, a, b)
  GROUP BY GROUPING SETS ((z.category, z.round, z.a, z.b), (z.round, z.a, z.b))
) AS parts
CROSS JOIN LATERAL (
  SELECT parts.round
  UNION ALL
  SELECT min(c.round) FROM spans_compared c WHERE parts.round = 0 HAVING count(DISTINCT c.round) = 1
) AS r(round)
