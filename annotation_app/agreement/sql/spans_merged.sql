-- The units of alpha_u: overlapping spans of a category by one person as one, as alpha_u knows no overlap within a
-- category; spans that only touch stay apart. `n` spans made one unit.
SELECT unit, rater, category, min(low) AS low, max(high) AS high, sum(n) AS n
FROM (
  SELECT *, count(*) FILTER (WHERE opens) OVER (PARTITION BY unit, rater, category ORDER BY low, high) AS place
  FROM (
    SELECT
      *,
      low >= max(high) OVER (
        PARTITION BY unit, rater, category ORDER BY low, high ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) IS NOT FALSE AS opens
    FROM spans_ranges
  ) AS marked
) AS placed
GROUP BY unit, rater, category, place
