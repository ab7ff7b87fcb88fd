-- What figures 1 and 3 of Teufel and van Halteren (2004) show: a row for everyone of a stage, and for each pair. Every
-- item has an answer of each rater, so that P(A) is the mean over all items. P(E) pools the answers of all.
SELECT
  v.stage, v.raters, v.n_items::bigint,
  f.observed, f.expected, k.value AS kappa, k.reason, c.value AS cohen, c.reason AS cohen_reason,
  s.error, s.items::bigint, s.reason AS interval_reason
FROM slice_totals v
JOIN fleiss_kappa f ON f.slice = v.slice AND f.bag = 0
JOIN estimates k ON k.slice = v.slice AND k.bag = 0 AND k.statistic = 'fleiss_kappa'
JOIN estimates c ON c.slice = v.slice AND c.bag = 0 AND c.statistic = 'cohen_kappa'
LEFT JOIN standard_errors s ON s.slice = v.slice AND s.statistic = 'fleiss_kappa'
ORDER BY v.stage, v.a, v.b
