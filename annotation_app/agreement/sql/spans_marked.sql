-- By item, person and category: the number of spans, the code points that they cover, and their starts and ends as two
-- arrays in the order of the starts.
SELECT
  unit, rater, category, sum(n) AS n, range_agg(int4range(low, high)) AS covered,
  array_agg(low ORDER BY low, high) AS lows, array_agg(high ORDER BY low, high) AS highs
FROM spans_ranges
GROUP BY unit, rater, category
