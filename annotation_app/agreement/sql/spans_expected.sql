-- Expected disagreement of a category: over everything that the group's N units of length l could coincide with,
--   (2 / L) sum_units [ (N - 1) / 3 (2 l^3 - 3 l^2 + l) + l^2 sum_{gaps >= l} (gap - l + 1) ]
--     / (m L (m L - 1) - sum_units l (l - 1)).
SELECT
  category, round, a, b,
  sum(n) AS n,
  2 * sum(f.n * ((f.units - 1) * (2 * f.l ^ 3 - 3 * f.l ^ 2 + f.l) / 3 + f.l ^ 2 * (f.room - (f.l - 1) * f.gaps)))
    / (z.length * (z.m * z.length * (z.m * z.length - 1) - sum(f.n * f.l * (f.l - 1)))) AS disagreement
FROM (
  SELECT
    category, round, a, b, is_gap, n, length::numeric AS l,
    sum(n) FILTER (WHERE NOT is_gap) OVER (PARTITION BY category, round, a, b) AS units,
    coalesce(sum(n) FILTER (WHERE is_gap) OVER longer, 0) AS gaps,
    coalesce(sum(n * length) FILTER (WHERE is_gap) OVER longer, 0) AS room
  FROM spans_sections
  WINDOW longer AS (PARTITION BY category, round, a, b ORDER BY length DESC)
) AS f
JOIN spans_sizes z USING (category, round, a, b)
WHERE NOT f.is_gap
GROUP BY category, round, a, b, z.length, z.m
