-- By item, person and category: the number of spans, and the code points that they cover.
SELECT unit, rater, category, sum(n) AS n, range_agg(int4range(low, high)) AS covered
FROM spans_ranges
GROUP BY unit, rater, category
