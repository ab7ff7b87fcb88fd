-- How often each label was given within the units of a view, and within its complete items.
SELECT
  g.stage, g.round, g.a, g.b, l.label,
  sum(g.n) AS in_units,
  coalesce(sum(g.n) FILTER (WHERE g.m = v.n_raters), 0) AS in_complete
FROM bags g
JOIN views v ON v.stage = g.stage AND v.round = g.round AND v.a = g.a AND v.b = g.b
CROSS JOIN LATERAL unnest(g.labels) AS l(label)
WHERE g.m >= 2
GROUP BY g.stage, g.round, g.a, g.b, l.label
