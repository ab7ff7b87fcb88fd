-- One row for each slice: every statistic with its standard error and the items behind that, or why it has none.
SELECT
  v.stage,
  nullif(v.round, 0) AS round,
  v.a,
  v.b,
  v.raters,
  v.n_items::bigint,
  v.n_units::bigint,
  v.n_complete::bigint AS fleiss_items,
  v.n_equal::bigint AS general_items,
  v.ratings::int AS general_answers,
  v.n_circular::bigint,
  jsonb_object_agg(e.statistic, e.value) AS values,
  coalesce(jsonb_object_agg(e.statistic, e.reason) FILTER (WHERE e.value IS NULL), '{}')
    || coalesce(jsonb_object_agg('ci.' || s.statistic, s.reason) FILTER (WHERE s.reason IS NOT NULL), '{}') AS reason,
  coalesce(jsonb_object_agg(e.statistic, jsonb_build_array(s.error, s.items)) FILTER (WHERE s.error IS NOT NULL), '{}')
    AS errors
FROM slice_totals v
JOIN estimates e ON e.slice = v.slice AND e.bag = 0
LEFT JOIN standard_errors s ON s.slice = v.slice AND s.statistic = e.statistic
GROUP BY v.stage, v.round, v.a, v.b, v.raters, v.n_items, v.n_units, v.n_complete, v.n_equal, v.ratings, v.n_circular
ORDER BY array_position(%(stages)s::text[], v.stage::text), v.stage, v.round, v.a, v.b
