-- Percent agreement, as a share of 1: of all pairs of answers to the same item, how many are the same label. An item
-- with m answers holds m (m - 1) / 2 pairs, so that items with more answers weigh more. Defined without variation.
SELECT v.view, u.same::float8 / u.pairs::float8 AS value, v.reason
FROM views v
LEFT JOIN (
  SELECT view, sum(n * (same - m)) AS same, sum(n * m * (m - 1)) AS pairs FROM units GROUP BY view
) AS u ON u.view = v.view
