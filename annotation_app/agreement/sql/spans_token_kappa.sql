-- Cohen's kappa (1960) over the tokens of the items that both submitted, pooled; a token is marked where a
-- span of the category touches it. With N tokens, t_a and t_b of them marked and t_ab by both,
--   observed = (N - t_a - t_b + 2 t_ab) / N,   expected = (t_a t_b + (N - t_a)(N - t_b)) / N^2,
--   kappa = (observed - expected) / (1 - expected).
-- `agreement` is observed, `share` is (t_a + t_b) / 2N, how much is marked: kappa falls where that is near 0 or 1.
SELECT
  category, round, a, b, n,
  (observed / n)::float8 AS agreement,
  (marked / (2 * n))::float8 AS share,
  none AS agreement_reason,
  CASE WHEN reason IS NULL THEN ((observed * n - expected) / (n * n - expected))::float8 END AS value,
  reason
FROM (
  SELECT
    v.category, v.round, v.a, v.b, t.n, t.none,
    c.t_a + c.t_b AS marked,
    t.n - c.t_a - c.t_b + 2 * c.t_ab AS observed,
    c.t_a * c.t_b + (t.n - c.t_a) * (t.n - c.t_b) AS expected,
    CASE
      WHEN t.none IS NOT NULL THEN t.none
      WHEN v.n_a + v.n_b = 0 THEN 'neither marked it'
      WHEN c.t_a + c.t_b = 0 THEN 'no token is marked'
      WHEN c.t_a + c.t_b = 2 * t.n THEN 'no variation: both marked every token'
    END AS reason
  FROM spans_views v
  LEFT JOIN spans_token_counts c USING (category, round, a, b)
  CROSS JOIN LATERAL (
    SELECT
      coalesce(c.n, 0) AS n,
      CASE
        WHEN v.category = 0 THEN 'given by category: a token may belong to several'
        WHEN coalesce(c.n, 0) = 0 THEN 'no tokens'
      END AS none
  ) AS t
) AS counted
