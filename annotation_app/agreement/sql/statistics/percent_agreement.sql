-- Percent agreement, as a share of 1: of all pairs of answers to the same item, how many are the same label. An item
-- with m answers holds m (m - 1) / 2 pairs, so that items with more answers weigh more. Defined without variation.
percent_agreement AS (
  SELECT s.slice, s.bag, s.n, s.agreeing / nullif(s.pairs, 0) AS value, v.reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  WHERE s.unit
)
