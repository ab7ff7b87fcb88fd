-- Cohen's kappa (Cohen 1960) of two people over the N items that both answered, each with their own shares of labels:
--   P = agreeing items / N,   Pe = sum_c a_c b_c / N^2,   kappa = (P - Pe) / (1 - Pe).
cohen_kappa AS (
  SELECT
    s.slice, s.bag, s.n,
    s.agreeing_complete / nullif(2 * s.n_complete, 0) AS observed,
    s.crossed / nullif(s.n_complete * s.n_complete, 0) AS expected,
    coalesce(
      CASE WHEN v.a = 0 THEN 'defined for two people: see the pairs' END,
      v.reason,
      'undefined, no variation: every answer is ' || v.one_label_in_complete
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.complete
)
