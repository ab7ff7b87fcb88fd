-- 95 percent intervals by the delete-one jackknife over the N items that bear on a coefficient (Efron and Tibshirani 1993,
-- chapter 11): with v_i the coefficient without item i, se^2 = (N - 1) / N * sum_i (v_i - mean v)^2; the interval is the
-- coefficient plus and minus t * se, t the 0.975 quantile of Student's t with N - 1 degrees of freedom. Items of one bag
-- have one v_i. Ends are cut at what a coefficient can be: -1 to 1, a percentage 0 to 1.
SELECT
  statistic, view,
  CASE WHEN reason IS NULL THEN greatest(value - half, CASE statistic WHEN 'percent_agreement' THEN 0 ELSE -1 END) END AS low,
  CASE WHEN reason IS NULL THEN least(value + half, 1) END AS high,
  reason
FROM (
  SELECT
    s.statistic, s.view, s.value,
    coalesce(
      q.t,
      1.959963984540054 + 2.3722712302985620 / (s.items - 1) + 2.8224986157396112 / (s.items - 1) ^ 2
        + 2.5558496795077220 / (s.items - 1) ^ 3 + 1.5895340533938225 / (s.items - 1) ^ 4
        + 0.7328982119816051 / (s.items - 1) ^ 5
    ) * sqrt((s.items - 1) / s.items * s.squares) AS half,
    CASE
      WHEN s.items < 2 THEN 'no interval from fewer than two items'
      WHEN s.undefined THEN 'no interval: without one of the items the coefficient is undefined'
    END AS reason
  FROM (
    -- Squares of the distance from the mean, by way of the distance from the coefficient itself, which is near.
    SELECT
      statistic, view, value, sum(n) AS items, bool_or(without IS NULL) AS undefined,
      greatest(sum(n * (without - value) ^ 2) - sum(n * (without - value)) ^ 2 / sum(n), 0) AS squares
    FROM (
      SELECT e.statistic, e.view, e.n, e.value AS without, w.value
      FROM estimates e
      JOIN estimates w ON w.statistic = e.statistic AND w.view = e.view AND w.bag = 0 AND w.value IS NOT NULL
      WHERE e.bag > 0
    ) AS left_out
    GROUP BY statistic, view, value
  ) AS s
  LEFT JOIN t_quantiles q ON q.df = s.items - 1
) AS halves
