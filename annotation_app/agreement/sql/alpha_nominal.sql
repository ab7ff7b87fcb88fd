-- Krippendorff's alpha for nominal labels, any number of people, missing answers (Krippendorff 2011). Units are items
-- with m_u >= 2 answers; n = sum_u m_u; n_c is how often label c occurs within the units:
--   alpha = 1 - (n - 1) * sum_u [(m_u^2 - sum_c n_uc^2) / (m_u - 1)] / (n^2 - sum_c n_c^2).
SELECT
  view,
  CASE WHEN reason IS NULL THEN (1 - (answers - 1) * disagreement / (answers * answers - squares))::float8 END AS value,
  reason
FROM (
  SELECT
    v.view, u.disagreement, l.answers, l.squares,
    coalesce(
      v.reason,
      CASE WHEN l.n_labels = 1 THEN 'undefined, no variation: every answer is ' || l.some_label END
    ) AS reason
  FROM views v
  LEFT JOIN (
    SELECT view, sum(n * (m * m - same) / (m - 1)) AS disagreement FROM units GROUP BY view
  ) AS u ON u.view = v.view
  LEFT JOIN (
    SELECT
      view, sum(in_units) AS answers, sum(in_units * in_units) AS squares,
      count(*) AS n_labels, min(label) AS some_label
    FROM label_counts
    GROUP BY view
  ) AS l ON l.view = v.view
) AS parts
