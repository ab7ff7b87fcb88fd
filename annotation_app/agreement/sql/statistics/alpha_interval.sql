-- The numbers of a slice's answers, of stages of numbers. NULL is an answer that is no number, which another version of
-- the codebook may have let in.
bag_numbers AS (
  SELECT
    b.slice, b.bag, b.n::numeric AS n, b.m::numeric AS m,
    sum(l.k::numeric * x.number) AS s1, sum(l.k::numeric * x.number * x.number) AS s2,
    min(l.label) FILTER (WHERE x.number IS NULL) AS no_number
  FROM bags b
  JOIN slice_totals v ON v.slice = b.slice AND v.measure = 'interval'
  JOIN bag_labels l ON l.bag = b.bag
  CROSS JOIN LATERAL (
    SELECT CASE WHEN l.label ~ '^-?[0-9]+([.][0-9]+)?$' THEN l.label::numeric END AS number
  ) AS x
  WHERE b.m >= 2
  GROUP BY b.slice, b.bag, b.n, b.m
),

-- The sums over the units of a slice; `within` adds up, unit by unit, (m_u S2_u - S1_u^2) / (m_u - 1).
number_totals AS (
  SELECT
    slice, sum(n * m) AS answers, sum(n * s1) AS s1, sum(n * s2) AS s2,
    sum(n * (m * s2 - s1 * s1) / (m - 1)) AS within, min(no_number) AS no_number
  FROM bag_numbers
  GROUP BY slice
),

-- Krippendorff's alpha for numbers, whose distance is the square of their difference (Krippendorff 2011). Over pairs of
-- m answers these squares add up to m S2 - S1^2, with S1 the sum of the answers and S2 that of their squares. With n
-- answers in the units:
--   alpha = 1 - (n - 1) * sum_u [(m_u S2_u - S1_u^2) / (m_u - 1)] / (n S2 - S1^2).
alpha_interval AS (
  SELECT
    s.slice, s.bag, s.n,
    (1 - (w.answers - 1) * w.within / nullif(w.answers * w.s2 - w.s1 * w.s1, 0))::float8 AS value,
    coalesce(
      v.reason,
      'undefined: ' || t.no_number || ' is no number',
      'undefined, no variation: every answer is ' || v.one_label_in_units
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  LEFT JOIN number_totals t ON t.slice = s.slice
  LEFT JOIN bag_numbers b ON b.bag = s.bag
  CROSS JOIN LATERAL (
    SELECT
      t.answers - coalesce(b.m, 0) AS answers,
      t.s1 - coalesce(b.s1, 0) AS s1,
      t.s2 - coalesce(b.s2, 0) AS s2,
      t.within - coalesce((b.m * b.s2 - b.s1 * b.s1) / (b.m - 1), 0) AS within
  ) AS w
  WHERE s.unit
)
