-- The 0.975 quantile of Student's t by degrees of freedom, for 95 percent intervals. Above 30, where no row stands, its
-- expansion in the normal quantile is exact to 1e-9 (Abramowitz and Stegun, 26.7.5).
t_quantiles AS (
  SELECT df, t
  FROM unnest(ARRAY[
    12.706204736175, 4.302652729749, 3.182446305284, 2.776445105198, 2.570581835636, 2.446911851145,
    2.364624251593, 2.306004135204, 2.262157162798, 2.228138851986, 2.200985160092, 2.178812829667,
    2.160368656463, 2.144786687918, 2.13144954556, 2.119905299221, 2.109815577833, 2.100922040241,
    2.093024054408, 2.085963447266, 2.079613844728, 2.073873067904, 2.068657610419, 2.063898561628,
    2.059538552753, 2.055529438643, 2.05183051648, 2.048407141795, 2.045229642133, 2.042272456301
  ]::float8[]) WITH ORDINALITY AS quantiles(t, df)
),

-- 95 percent intervals by the delete-one jackknife over the N items that bear on a coefficient (Efron and Tibshirani 1993,
-- chapter 11): with v_i the coefficient without item i, se^2 = (N - 1) / N * sum_i (v_i - mean v)^2; the interval is the
-- coefficient plus and minus t * se, t the 0.975 quantile of Student's t with N - 1 degrees of freedom. Items of one bag
-- have one v_i. Ends are cut at what a coefficient can be: -1 to 1, a percentage 0 to 1.
intervals AS (
  SELECT
    statistic, slice,
    CASE
      WHEN reason IS NULL
      THEN greatest(value - half, CASE WHEN statistic IN (SELECT statistic FROM shares) THEN 0 ELSE -1 END)
    END AS low,
    CASE WHEN reason IS NULL THEN least(value + half, 1) END AS high,
    reason
  FROM (
    SELECT
      w.statistic, w.slice, w.value,
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
    FROM estimates w
    JOIN (
      SELECT m.statistic, m.slice, m.items, m.undefined, sum(e.n * (e.value - m.mean) * (e.value - m.mean)) AS squares
      FROM (
        SELECT
          statistic, slice, sum(n) AS items, sum(n * value) / sum(n) AS mean, bool_or(value IS NULL) AS undefined
        FROM estimates
        WHERE bag > 0
        GROUP BY statistic, slice
      ) AS m
      JOIN estimates e ON e.statistic = m.statistic AND e.slice = m.slice AND e.bag > 0
      GROUP BY m.statistic, m.slice, m.items, m.undefined
    ) AS s ON s.statistic = w.statistic AND s.slice = w.slice
    LEFT JOIN t_quantiles q ON q.df = s.items - 1
    WHERE w.bag = 0 AND w.value IS NOT NULL
  ) AS halves
)
