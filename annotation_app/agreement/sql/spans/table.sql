WITH
-- The pairs of a slice together (a = b = 0): each statistic's mean over the pairs that have a value, each pair weighing
-- the same.
spans_margins AS (
  SELECT
    category, round, 0 AS a, 0 AS b, m.mean AS statistic,
    avg(value) AS value, coalesce(sum(n) FILTER (WHERE value IS NOT NULL), 0) AS n,
    CASE WHEN count(value) = 0 THEN string_agg(DISTINCT reason, '; ') END AS reason,
    count(value) AS pairs
  FROM spans_figures
  JOIN spans_means m USING (statistic)
  WHERE a > 0
  GROUP BY category, round, m.mean
)

-- One row for each slice (`spans_slices`), and for the pairs of each together, with its statistics as
-- {name: {value, n, reason, pairs}}.
SELECT
  v.category, nullif(v.round, 0) AS round, nullif(v.a, 0) AS a, nullif(v.b, 0) AS b,
  v.n_items::bigint, v.n_pairs::bigint, v.n_a::bigint, v.n_b::bigint, v.n_matched::bigint, v.n_uncommented::bigint,
  u.n_items::bigint AS alpha_items, u.length::bigint AS alpha_length, u.n_merged::bigint AS alpha_merged,
  f.figures
FROM (
  SELECT category, round, a, b, n_items, 1 AS n_pairs, n_a, n_b, c.n_matched, c.n_uncommented
  FROM spans_slices
  JOIN spans_comment_equal c USING (category, round, a, b)
  UNION ALL
  SELECT category, round, 0, 0, i.n_items, count(*), sum(v.n_a), sum(v.n_b), sum(c.n_matched), sum(c.n_uncommented)
  FROM spans_slices v
  JOIN spans_comment_equal c USING (category, round, a, b)
  JOIN spans_items i USING (category, round)
  GROUP BY category, round, i.n_items
) AS v
LEFT JOIN spans_alpha_u u USING (category, round, a, b)
LEFT JOIN (
  SELECT
    category, round, a, b,
    jsonb_object_agg(
      statistic, jsonb_build_object('value', value, 'n', n::bigint, 'reason', reason, 'pairs', pairs)
    ) AS figures
  FROM (
    SELECT category, round, a, b, statistic, value, n, reason, NULL AS pairs FROM spans_figures
    UNION ALL
    SELECT category, round, a, b, statistic, value, n, reason, pairs FROM spans_margins
  ) AS listed
  GROUP BY category, round, a, b
) AS f USING (category, round, a, b)
ORDER BY v.category, v.round, v.a, v.b
