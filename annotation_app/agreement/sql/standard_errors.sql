-- Standard errors by the delete-one jackknife over the N items that bear on a coefficient (Efron and Tibshirani 1993,
-- chapter 11): with v_i the coefficient without item i, se^2 = (N - 1) / N * sum_i (v_i - mean v)^2. Items of one bag have
-- one v_i. Fractions of items (`sources/beside_others.sql`) add up to whole ones but for rounding.
-- `agreement/intervals.py` makes 95 percent intervals of them.
standard_errors AS (
  SELECT
    statistic, slice, items,
    CASE WHEN reason IS NULL THEN sqrt((items - 1) / items * squares) END AS error,
    reason
  FROM (
    SELECT
      w.statistic, w.slice, s.items, s.squares,
      CASE
        WHEN s.items < 2 THEN 'no interval from fewer than two items'
        WHEN s.undefined THEN 'no interval: without one of the items the coefficient is undefined'
      END AS reason
    FROM estimates w
    JOIN (
      SELECT m.statistic, m.slice, m.items, m.undefined, sum(e.n * (e.value - m.mean) * (e.value - m.mean)) AS squares
      FROM (
        SELECT
          statistic, slice, round(sum(n)) AS items, sum(n * value) / sum(n) AS mean, bool_or(value IS NULL) AS undefined
        FROM estimates
        WHERE bag > 0
        GROUP BY statistic, slice
      ) AS m
      JOIN estimates e ON e.statistic = m.statistic AND e.slice = m.slice AND e.bag > 0
      GROUP BY m.statistic, m.slice, m.items, m.undefined
    ) AS s ON s.statistic = w.statistic AND s.slice = w.slice
    WHERE w.bag = 0 AND w.value IS NOT NULL
  ) AS found
)
