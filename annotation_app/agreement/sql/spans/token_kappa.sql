-- Where the tokens of an item's text start and end, in code points and in order. Python cuts them (`token_bounds`), as
-- PostgreSQL knows no Unicode word boundaries; of the three arrays the elements at one place are one token.
spans_tokens AS (
  SELECT unit, count(*) AS n, array_agg(low ORDER BY low) AS starts, array_agg(high ORDER BY low) AS ends
  FROM unnest(%(token_units)s::int8[], %(token_starts)s::int4[], %(token_ends)s::int4[]) AS t(unit, low, high)
  GROUP BY unit
),

-- The tokens that a person's spans of a category touch, by their number from 0. width_bucket counts, by halving, how
-- many of the ordered numbers are at most the one given: the tokens that end before the span, those that start in time.
spans_touched AS (
  SELECT unit, rater, category, tokens, (SELECT sum(upper(r) - lower(r)) FROM unnest(tokens) AS r) AS n
  FROM (
    SELECT
      r.unit, r.rater, r.category,
      range_agg(int4range(width_bucket(r.low, t.ends), width_bucket(r.high - 1, t.starts))) AS tokens
    FROM spans_ranges r
    JOIN spans_tokens t ON t.unit = r.unit
    GROUP BY r.unit, r.rater, r.category
  ) AS folded
),

-- Tokens of the items that both of a pair submitted: all of them, those that each marked, those that both did.
spans_token_counts AS (
  SELECT
    k.category, coalesce(p.round, 0) AS round, p.a, p.b,
    sum(t.n) AS n, coalesce(sum(x.n), 0) AS t_a, coalesce(sum(y.n), 0) AS t_b,
    coalesce(sum((SELECT sum(upper(r) - lower(r)) FROM unnest(x.tokens * y.tokens) AS r)), 0) AS t_ab
  FROM spans_pairs p
  JOIN spans_known k ON k.codebook = p.codebook
  JOIN spans_tokens t ON t.unit = p.unit
  LEFT JOIN spans_touched x ON x.unit = p.unit AND x.rater = p.a AND x.category = k.category
  LEFT JOIN spans_touched y ON y.unit = p.unit AND y.rater = p.b AND y.category = k.category
  GROUP BY GROUPING SETS ((k.category, p.round, p.a, p.b), (k.category, p.a, p.b))
),

-- Cohen's kappa (1960) over the tokens of the items that both submitted, pooled; a token is marked where a
-- span of the category touches it. With N tokens, t_a and t_b of them marked and t_ab by both,
--   observed = (N - t_a - t_b + 2 t_ab) / N,   expected = (t_a t_b + (N - t_a)(N - t_b)) / N^2,
--   kappa = (observed - expected) / (1 - expected).
-- `agreement` is observed, `share` is (t_a + t_b) / 2N, how much is marked: kappa falls where that is near 0 or 1.
spans_token_parts AS (
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
    FROM spans_slices v
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
),

-- The three statistics, one a row.
spans_token_kappa AS (
  SELECT k.category, k.round, k.a, k.b, f.*
  FROM spans_token_parts k
  CROSS JOIN LATERAL (
    VALUES
      ('token_kappa', k.value, k.n, k.reason),
      ('token_agreement', k.agreement, k.n, k.agreement_reason),
      ('token_share', k.share, k.n, k.agreement_reason)
  ) AS f(statistic, value, n, reason)
)
