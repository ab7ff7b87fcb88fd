-- Gwet's AC1 (Gwet 2008; 2014, chapter 5) for any number of people and missing answers, with q labels in the slice:
--   P  = mean over items with m_u >= 2 answers of (sum_c n_uc^2 - m_u) / (m_u (m_u - 1)),
--   Pe = sum_c p_c (1 - p_c) / (q - 1) with p_c the mean of n_uc / m_u over all items with an answer,
--   AC1 = (P - Pe) / (1 - Pe). The p_c sum to 1, so that Pe = (1 - sum_c p_c^2) / (q - 1).
-- q is the number of labels that occur in the slice, and stays so when one item is left out. Where one label alone occurs,
-- Pe is 0 whatever number of labels, two or more, there are to choose from, so that AC1 is 1 (as in Gwet's irrCAC).
ac1 AS (
  SELECT
    s.slice, s.bag, s.n,
    s.agreement / nullif(s.n_units, 0) AS observed,
    (1 - s.squares_share / nullif(s.n_items * s.n_items, 0)) / greatest(v.n_labels - 1, 1) AS expected,
    v.reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
)
