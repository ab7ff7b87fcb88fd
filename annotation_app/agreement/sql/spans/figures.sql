-- F1 of exact matches: the same start, end and category, one to one. With m of them among a's n_a and b's n_b spans,
--   F1 = 2 m / (n_a + n_b),
-- which is the same whichever of the two is taken for the truth (Hripcsak and Rothschild 2005). Where only one of the
-- two marked anything it is 0; where neither did it has no value.
spans_exact_f1 AS (
  SELECT
    v.category, v.round, v.a, v.b,
    v.n_a + v.n_b AS n,
    2 * coalesce(m.matched, 0)::float8 / nullif(v.n_a + v.n_b, 0)::float8 AS value,
    CASE WHEN v.n_a + v.n_b = 0 THEN 'neither marked it' END AS reason
  FROM spans_slices v
  LEFT JOIN (
    SELECT coalesce(category, 0) AS category, coalesce(round, 0) AS round, a, b, sum(n) AS matched
    FROM spans_matched
    GROUP BY GROUPING SETS ((category, round, a, b), (category, a, b), (round, a, b), (a, b))
  ) AS m USING (category, round, a, b)
),

-- Exactly matched spans whose comments are equal, as a share of those with a comment on one side or both (`n`); matched
-- spans without any comment are counted apart (`n_uncommented`).
spans_comment_equal AS (
  SELECT
    v.category, v.round, v.a, v.b,
    coalesce(c.n_commented, 0) AS n,
    coalesce(c.n_matched, 0) AS n_matched,
    coalesce(c.n_matched - c.n_commented, 0) AS n_uncommented,
    c.n_equal::float8 / nullif(c.n_commented, 0)::float8 AS value,
    CASE
      WHEN coalesce(c.n_matched, 0) = 0 THEN 'no spans that match exactly'
      WHEN c.n_commented = 0 THEN 'no comments on the spans that match exactly'
    END AS reason
  FROM spans_slices v
  LEFT JOIN (
    SELECT
      coalesce(category, 0) AS category, coalesce(round, 0) AS round, a, b,
      count(*) AS n_matched,
      count(*) FILTER (WHERE comment_a <> '' OR comment_b <> '') AS n_commented,
      count(*) FILTER (WHERE comment_a = comment_b AND comment_a <> '') AS n_equal
    FROM spans_comments
    GROUP BY GROUPING SETS ((category, round, a, b), (category, a, b), (round, a, b), (a, b))
  ) AS c USING (category, round, a, b)
),

-- Every statistic of the pairs, one a row.
spans_figures AS (
  SELECT category, round, a, b, 'exact_f1' AS statistic, value, n, reason FROM spans_exact_f1
  UNION ALL
  SELECT o.category, o.round, o.a, o.b, f.*
  FROM spans_overlap o
  CROSS JOIN LATERAL (
    VALUES
      ('overlap_' || o.way || '_f1', o.value, o.n_a + o.n_b, o.reason),
      ('overlap_' || o.way || '_precision', o.precision, o.n_a, o.precision_reason),
      ('overlap_' || o.way || '_recall', o.recall, o.n_b, o.recall_reason)
  ) AS f
  UNION ALL
  SELECT k.category, k.round, k.a, k.b, f.*
  FROM spans_token_kappa k
  CROSS JOIN LATERAL (
    VALUES
      ('token_kappa', k.value, k.n, k.reason),
      ('token_agreement', k.agreement, k.n, k.agreement_reason),
      ('token_share', k.share, k.n, k.agreement_reason)
  ) AS f
  UNION ALL
  SELECT category, round, a, b, 'alpha_u', value, n, reason FROM spans_alpha_u
  UNION ALL
  SELECT category, round, a, b, 'comment_equal', value, n, reason FROM spans_comment_equal
),

-- The pairs of a slice together (a = b = 0): each statistic's mean over the pairs that have a value, each pair weighing
-- the same. Precision and recall have no mean, as they swap with the order of the two; alpha_u of everyone is no mean.
spans_margins AS (
  SELECT
    category, round, 0 AS a, 0 AS b,
    CASE statistic WHEN 'alpha_u' THEN 'alpha_u_pair_mean' ELSE statistic END AS statistic,
    avg(value) AS value, coalesce(sum(n) FILTER (WHERE value IS NOT NULL), 0) AS n,
    CASE WHEN count(value) = 0 THEN string_agg(DISTINCT reason, '; ') END AS reason,
    count(value) AS pairs
  FROM spans_figures
  WHERE a > 0 AND statistic NOT LIKE '%%precision' AND statistic NOT LIKE '%%recall'
  GROUP BY category, round, statistic
)
