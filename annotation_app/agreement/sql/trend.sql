WITH
-- As in `sources/cached_bags.sql`, of the batches that are named, at one stage, without pairs. The batch stands in the
-- round's place, since a prototype batch may have the number of a round.
round_bags AS (
  SELECT stage, batch_id AS round, a, b, labels, n, 0 AS n_circular
  FROM annotation_app_labelcombination
  WHERE batch_id = ANY(%(batches)s::bigint[]) AND n > 0 AND stage = %(stage)s AND b = 0
)

-- One row for each batch: the coefficient with its standard error and what it stands on, or the reason why it has no
-- value. The estimates are of this coefficient and of percent agreement.
SELECT
  v.round AS batch,
  (max(e.value) FILTER (WHERE e.statistic <> 'percent_agreement'))::float8 AS alpha,
  (max(s.error) FILTER (WHERE e.statistic <> 'percent_agreement'))::float8 AS error,
  (max(s.items) FILTER (WHERE e.statistic <> 'percent_agreement'))::bigint AS items,
  (max(e.value) FILTER (WHERE e.statistic = 'percent_agreement'))::float8 AS percent_agreement,
  v.n_units::bigint,
  coalesce(max(e.reason) FILTER (WHERE e.statistic <> 'percent_agreement' AND e.value IS NULL), '') AS reason
FROM slice_totals v
JOIN estimates e ON e.slice = v.slice AND e.bag = 0
LEFT JOIN standard_errors s ON s.slice = v.slice AND s.statistic = e.statistic
GROUP BY v.round, v.n_units
