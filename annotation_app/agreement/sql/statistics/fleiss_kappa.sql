-- Fleiss' kappa (Fleiss 1971) over the complete items of a slice: with N of them and r people,
--   P  = sum_u (sum_c n_uc^2 - r) / (N r (r - 1)),   Pe = sum_c n_c^2 / (N r)^2,   kappa = (P - Pe) / (1 - Pe).
-- For a pair this is Scott's pi over the items that both answered.
fleiss_kappa AS (
  SELECT
    s.slice, s.bag, s.n,
    s.agreeing_complete / nullif(s.n_complete * v.n_raters * (v.n_raters - 1), 0) AS observed,
    s.squares_complete / nullif(s.n_complete * v.n_raters * s.n_complete * v.n_raters, 0) AS expected,
    coalesce(
      v.reason,
      CASE WHEN v.n_complete = 0 THEN 'no item answered by every annotator under view' END,
      CASE WHEN v.n_complete_circular = v.n_complete THEN v.circular END,
      'undefined, no variation: every answer is ' || v.one_label_in_complete
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.complete
)
