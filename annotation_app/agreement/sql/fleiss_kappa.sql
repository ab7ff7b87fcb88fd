-- Fleiss' kappa (Fleiss 1971) over the complete items of a view: with N of them and r people,
--   P  = sum_u (sum_c n_uc^2 - r) / (N r (r - 1)),   Pe = sum_c n_c^2 / (N r)^2,   kappa = (P - Pe) / (1 - Pe).
-- For a pair this is Scott's pi over the items that both answered.
SELECT
  stage, round, a, b,
  CASE WHEN reason IS NULL THEN ((observed - expected) / (1 - expected))::float8 END AS value,
  reason
FROM (
  SELECT
    v.stage, v.round, v.a, v.b,
    u.same / (v.n_complete * v.n_raters * (v.n_raters - 1)) AS observed,
    l.squares / (v.n_complete * v.n_raters * v.n_complete * v.n_raters) AS expected,
    coalesce(
      v.reason,
      CASE WHEN v.n_complete = 0 THEN 'no item answered by every annotator under view' END,
      CASE WHEN l.n_labels = 1 THEN 'undefined, no variation: every answer is ' || l.some_label END
    ) AS reason
  FROM views v
  LEFT JOIN (
    SELECT g.stage, g.round, g.a, g.b, sum(g.n * (g.same - g.m)) AS same
    FROM bags g
    JOIN views w ON w.stage = g.stage AND w.round = g.round AND w.a = g.a AND w.b = g.b
    WHERE g.m = w.n_raters AND g.m >= 2
    GROUP BY g.stage, g.round, g.a, g.b
  ) AS u USING (stage, round, a, b)
  LEFT JOIN (
    SELECT stage, round, a, b, sum(in_complete * in_complete) AS squares, count(*) AS n_labels, min(label) AS some_label
    FROM label_counts
    WHERE in_complete > 0
    GROUP BY stage, round, a, b
  ) AS l USING (stage, round, a, b)
) AS parts
