-- Percent agreement, as a share of 1: of all pairs of answers to the same item, how many are the same label. An item
-- with m answers holds m (m - 1) / 2 pairs, so that items with more answers weigh more. Defined without variation.
SELECT v.stage, v.round, v.a, v.b, u.same::float8 / u.pairs::float8 AS value, v.reason
FROM views v
LEFT JOIN (
  SELECT stage, round, a, b, sum(n * (same - m)) AS same, sum(n * m * (m - 1)) AS pairs
  FROM bags
  WHERE m >= 2
  GROUP BY stage, round, a, b
) AS u USING (stage, round, a, b)
