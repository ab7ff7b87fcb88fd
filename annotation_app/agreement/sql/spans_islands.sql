-- The units of a person in an item as two ordered arrays, in which width_bucket finds a place by halving.
SELECT unit, rater, category, array_agg(low ORDER BY low) AS lows, array_agg(high ORDER BY low) AS highs
FROM spans_merged
GROUP BY unit, rater, category
