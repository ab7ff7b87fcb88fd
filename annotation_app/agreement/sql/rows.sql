-- The table: one row for each view, every statistic beside the reason why it has no value.
SELECT
  v.stage,
  nullif(v.round, 0) AS round,
  v.a,
  v.b,
  v.raters,
  v.n_items::bigint,
  v.n_units::bigint,
  v.n_complete::bigint AS fleiss_items,
  p.value AS percent_agreement,
  p.reason AS percent_agreement_reason,
  f.value AS fleiss_kappa,
  f.reason AS fleiss_kappa_reason,
  k.value AS alpha_nominal,
  k.reason AS alpha_nominal_reason
FROM views v
JOIN percent_agreement p ON p.view = v.view
JOIN fleiss_kappa f ON f.view = v.view
JOIN alpha_nominal k ON k.view = v.view
ORDER BY array_position(%(stages)s::text[], v.stage::text), v.stage, v.round, v.a, v.b
