-- One row for each person and stage: the coefficient of each kind of answers with its standard error and the items behind
-- that, and percent agreement, or the reason why there is no value.
SELECT
  v.stage,
  v.round AS rater,
  v.n_units::bigint AS n,
  jsonb_object_agg(e.statistic, e.value) AS values,
  coalesce(jsonb_object_agg(e.statistic, e.reason) FILTER (WHERE e.value IS NULL), '{}')
    || coalesce(jsonb_object_agg('ci.' || s.statistic, s.reason) FILTER (WHERE s.reason IS NOT NULL), '{}') AS reason,
  coalesce(jsonb_object_agg(e.statistic, jsonb_build_array(s.error, s.items)) FILTER (WHERE s.error IS NOT NULL), '{}')
    AS errors
FROM slice_totals v
JOIN estimates e ON e.slice = v.slice AND e.bag = 0
LEFT JOIN standard_errors s ON s.slice = v.slice AND s.statistic = e.statistic
GROUP BY v.stage, v.round, v.n_units
ORDER BY v.stage, v.round
