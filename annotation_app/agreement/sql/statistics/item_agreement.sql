-- Observed agreement as a mean over items, as a share of 1: of each item's pairs of answers the share that is the same
-- label, every item with two answers or more counting once. It is the P of AC1 (Gwet 2008). Percent agreement pools the
-- pairs; the two are equal where all items have the same number of answers. Defined without variation.
item_agreement AS (
  SELECT s.slice, s.bag, s.n, s.agreement / nullif(s.n_units, 0) AS value, v.reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.unit
)
