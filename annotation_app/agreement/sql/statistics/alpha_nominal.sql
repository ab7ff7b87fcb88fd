-- Krippendorff's alpha for nominal labels, any number of people, missing answers (Krippendorff 2011). Units are items
-- with m_u >= 2 answers; n = sum_u m_u; n_c is how often label c occurs within the units:
--   alpha = 1 - (n - 1) * sum_u [(m_u^2 - sum_c n_uc^2) / (m_u - 1)] / (n^2 - sum_c n_c^2).
alpha_nominal AS (
  SELECT
    s.slice, s.bag, s.n,
    1 - (s.answers - 1) * s.disagreement / nullif(s.answers * s.answers - s.squares, 0) AS value,
    coalesce(v.reason, 'undefined, no variation: every answer is ' || v.one_label_in_units) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.unit
)
