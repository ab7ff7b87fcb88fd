-- Fleiss' kappa in its general form (Fleiss 1971): each item has k answers, by any k of the n people. Of a slice, k
-- is the usual number of answers (`ratings`), and stays so when one item is left out. With N such items,
--   P  = sum_u (sum_c n_uc^2 - k) / (N k (k - 1)),   Pe = sum_c n_c^2 / (N k)^2,   kappa = (P - Pe) / (1 - Pe).
fleiss_kappa_general AS (
  SELECT
    s.slice, s.bag, s.n,
    s.agreeing_equal / nullif(s.n_equal * v.ratings * (v.ratings - 1), 0) AS observed,
    s.squares_equal / nullif(s.n_equal * v.ratings * s.n_equal * v.ratings, 0) AS expected,
    coalesce(
      v.reason,
      CASE WHEN v.n_equal_circular = v.n_equal THEN v.circular END,
      'undefined, no variation: every answer is ' || v.one_label_in_equal
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.equal
)
