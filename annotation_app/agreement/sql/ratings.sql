-- How many answers an item of a view usually has: the number that the most items with two or more have; of two such
-- numbers the larger one.
SELECT DISTINCT ON (view) view, m AS ratings
FROM (SELECT view, m, sum(n) AS n FROM bags WHERE m >= 2 GROUP BY view, m) AS counted
ORDER BY view, n DESC, m DESC
