-- Every statistic of the pairs, one a row.
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
