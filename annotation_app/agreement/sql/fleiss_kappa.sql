-- Fleiss' kappa (Fleiss 1971) over the complete items of a view: with N of them and r people,
--   P  = sum_u (sum_c n_uc^2 - r) / (N r (r - 1)),   Pe = sum_c n_c^2 / (N r)^2,   kappa = (P - Pe) / (1 - Pe).
-- For a pair this is Scott's pi over the items that both answered.
SELECT
  view,
  CASE WHEN reason IS NULL THEN ((observed - expected) / (1 - expected))::float8 END AS value,
  reason
FROM (
  SELECT
    v.view,
    u.same / (v.n_complete * v.n_raters * (v.n_raters - 1)) AS observed,
    l.squares / (v.n_complete * v.n_raters * v.n_complete * v.n_raters) AS expected,
    coalesce(
      v.reason,
      CASE WHEN v.n_complete = 0 THEN 'no item answered by every annotator under view' END,
      CASE WHEN l.n_labels = 1 THEN 'undefined, no variation: every answer is ' || l.some_label END
    ) AS reason
  FROM views v
  LEFT JOIN (
    SELECT view, sum(n * (same - m)) AS same FROM units WHERE complete GROUP BY view
  ) AS u ON u.view = v.view
  LEFT JOIN (
    SELECT view, sum(in_complete * in_complete) AS squares, count(*) AS n_labels, min(label) AS some_label
    FROM label_counts
    WHERE in_complete > 0
    GROUP BY view
  ) AS l ON l.view = v.view
) AS parts
