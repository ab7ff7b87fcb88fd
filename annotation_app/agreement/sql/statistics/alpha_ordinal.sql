-- The order of the labels of ordinal stages, from {stage: [label, ...]}. Ranks count from 1.
label_ranks AS (
  SELECT o.key AS stage, l.label, l.rank
  FROM jsonb_each(%(orders)s::jsonb) AS o
  CROSS JOIN LATERAL jsonb_array_elements_text(o.value) WITH ORDINALITY AS l(label, rank)
),

ranked_labels AS (
  SELECT l.slice, l.bag, p.rank, l.k
  FROM bag_labels l
  JOIN slice_totals v ON v.slice = l.slice
  JOIN label_ranks p ON p.stage = v.stage AND p.label = l.label
),

-- Krippendorff's coincidences of two different labels in the units of a slice, each pair of ranks counted once.
coincidences AS (
  SELECT b.slice, c.rank, k.rank AS other, sum(b.n * c.k * k.k / (b.m - 1)) AS o
  FROM bags b
  JOIN ranked_labels c ON c.bag = b.bag
  JOIN ranked_labels k ON k.bag = b.bag AND k.rank > c.rank
  WHERE b.m >= 2
  GROUP BY b.slice, c.rank, k.rank
),

-- Krippendorff's alpha for ordered labels (Krippendorff 2011). The distance of two labels is
--   (sum of n_g from c to k - (n_c + n_k) / 2)^2 = (r_k - r_c)^2  with the midrank  r_c = n_1 + ... + n_(c-1) + n_c / 2,
-- alpha = 1 - (n - 1) * sum_(c<k) o_ck (r_k - r_c)^2 / sum_(c<k) n_c n_k (r_k - r_c)^2. An item that is left out moves the
-- midranks too.
alpha_ordinal AS (
  WITH label_answers AS (
    SELECT v.slice, p.rank, p.label, coalesce(c.in_units, 0) AS answers
    FROM slice_totals v
    JOIN label_ranks p ON p.stage = v.stage
    LEFT JOIN label_counts c ON c.slice = v.slice AND c.label = p.label
    WHERE v.reason IS NULL
  ), counts AS (
    SELECT s.slice, s.bag, p.rank, p.answers - coalesce(l.k, 0) AS answers, coalesce(l.k, 0) AS k
    FROM samples s
    JOIN label_answers p ON p.slice = s.slice
    LEFT JOIN ranked_labels l ON l.bag = s.bag AND l.rank = p.rank
    WHERE s.unit
  ), midranks AS (
    SELECT *, sum(answers) OVER (PARTITION BY slice, bag ORDER BY rank) - answers / 2 AS r FROM counts
  ), distances AS (
    SELECT
      c.slice, c.bag,
      sum((coalesce(o.o, 0) - coalesce(c.k * k.k / nullif(b.m - 1, 0), 0)) * (k.r - c.r) * (k.r - c.r)) AS observed,
      sum(c.answers * k.answers * (k.r - c.r) * (k.r - c.r)) AS expected
    FROM midranks c
    JOIN midranks k ON k.slice = c.slice AND k.bag = c.bag AND k.rank > c.rank
    LEFT JOIN bags b ON b.bag = c.bag
    LEFT JOIN coincidences o ON o.slice = c.slice AND o.rank = c.rank AND o.other = k.rank
    GROUP BY c.slice, c.bag
  ), unranked AS (
    SELECT v.slice, min(c.label) AS label
    FROM slice_totals v
    JOIN label_counts c ON c.slice = v.slice AND c.in_units > 0
    WHERE NOT EXISTS (SELECT FROM label_ranks p WHERE p.stage = v.stage AND p.label = c.label)
    GROUP BY v.slice
  )
  SELECT
    s.slice, s.bag, s.n,
    1 - (s.answers - 1) * d.observed / nullif(d.expected, 0) AS value,
    coalesce(
      v.reason,
      'undefined: ' || coalesce(%(names)s::jsonb -> v.stage ->> x.label, x.label) || ' has no place in the order of the labels',
      'undefined, no variation: every answer is ' || v.one_label_in_units
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  LEFT JOIN distances d ON d.slice = s.slice AND d.bag = s.bag
  LEFT JOIN unranked x ON x.slice = s.slice
  WHERE s.unit
)
