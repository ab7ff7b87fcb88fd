-- An answer of a slice that is no set, which another version of the codebook may have let in.
no_sets AS (
  SELECT v.slice, min(c.label) AS label
  FROM label_counts c
  JOIN slice_totals v ON v.slice = c.slice AND v.measure = 'set'
  WHERE c.in_units > 0 AND c.label !~ '^\[("[^"]*"(,"[^"]*")*)?\]$'
  GROUP BY v.slice
),

-- The distinct sets of labels that the units of each stage of sets have, with an entry for each of their labels. NULL is
-- the entry of the empty set. `rules.set_labels` reads them alike; the table of a file is made where there are no rules.
stage_sets AS (
  SELECT d.stage, d.label AS given, cardinality(string_to_array(btrim(d.label, '[]"'), '","')) AS size, l.label
  FROM (
    SELECT DISTINCT v.stage, c.label
    FROM label_counts c
    JOIN slice_totals v ON v.slice = c.slice AND v.measure = 'set'
    WHERE c.in_units > 0 AND NOT EXISTS (SELECT FROM no_sets x WHERE x.slice = v.slice)
  ) AS d
  LEFT JOIN LATERAL unnest(string_to_array(btrim(d.label, '[]"'), '","')) AS l(label) ON true
),

-- How near two sets A and B are: 1 less the MASI distance (Passonneau 2006), |A and B| / |A or B| times 1 where they are
-- equal, 2/3 where one holds the other, 1/3 where they overlap. Pairs that share nothing are left out, as they have 0.
-- Two empty sets are equal.
set_similarities AS (
  SELECT
    stage, one, other,
    CASE
      WHEN one = other THEN 1
      ELSE common / (one_size + other_size - common) * CASE WHEN common = least(one_size, other_size) THEN 2 ELSE 1 END / 3
    END AS similarity
  FROM (
    SELECT c.stage, c.given AS one, k.given AS other, c.size AS one_size, k.size AS other_size, count(*)::float8 AS common
    FROM stage_sets c
    JOIN stage_sets k ON k.stage = c.stage AND k.label = c.label
    GROUP BY c.stage, c.given, k.given, c.size, k.size
    UNION ALL
    SELECT stage, given, given, 0, 0, 0 FROM stage_sets WHERE size = 0
  ) AS shared
),

-- How near a set is to all answers in the units of a slice, added up.
slice_similarities AS (
  SELECT v.slice, d.one AS label, sum(d.similarity * c.in_units) AS similar
  FROM slice_totals v
  JOIN label_counts c ON c.slice = v.slice AND c.in_units > 0
  JOIN set_similarities d ON d.stage = v.stage AND d.other = c.label
  WHERE v.measure = 'set'
  GROUP BY v.slice, d.one
),

-- How near the answers of a unit are to each other (`own`) and to all answers of the slice (`whole`), added up.
bag_similarities AS (
  SELECT
    b.slice, b.bag, b.n, b.m,
    (
      SELECT sum(c.k * k.k * d.similarity)
      FROM bag_labels c
      JOIN bag_labels k ON k.bag = c.bag
      JOIN set_similarities d ON d.stage = v.stage AND d.one = c.label AND d.other = k.label
      WHERE c.bag = b.bag
    ) AS own,
    (
      SELECT sum(l.k * s.similar)
      FROM bag_labels l
      JOIN slice_similarities s ON s.slice = b.slice AND s.label = l.label
      WHERE l.bag = b.bag
    ) AS whole
  FROM bags b
  JOIN slice_totals v ON v.slice = b.slice AND v.measure = 'set'
  WHERE b.m >= 2
),

similarity_totals AS (
  SELECT b.slice, sum(b.n * b.whole) AS similar, sum(b.n * (b.m * b.m - b.own) / (b.m - 1)) AS within
  FROM bag_similarities b
  GROUP BY b.slice
),

-- Krippendorff's alpha with the MASI distance (Passonneau 2006; Krippendorff 2011). With s_ck how near two answers are
-- and n answers in the units:
--   alpha = 1 - (n - 1) * sum_u [(m_u^2 - sum of s_ck over the answers of u) / (m_u - 1)] / (n^2 - sum of all s_ck).
-- For equal or different answers this is the nominal form. An item that is left out takes its answers from both sums:
-- sum (n_c - k_c) (n_k - k_k) s_ck = sum n_c n_k s_ck - 2 sum k_c n_k s_ck + sum k_c k_k s_ck.
-- Sets that differ are never nearer than 2/3, so that what is expected is 0 or more than 1/2: sums of floats miss 0 by less.
alpha_masi AS (
  SELECT
    s.slice, s.bag, s.n,
    CASE
      WHEN w.expected > 0.5
      THEN 1 - (s.answers - 1) * (t.within - coalesce((b.m * b.m - b.own) / (b.m - 1), 0)) / w.expected
    END AS value,
    coalesce(
      v.reason,
      'undefined: ' || x.label || ' is no set of labels',
      'undefined, no variation: every answer is ' || v.one_label_in_units
    ) AS reason
  FROM samples s
  JOIN slice_totals v ON v.slice = s.slice
  LEFT JOIN similarity_totals t ON t.slice = s.slice
  LEFT JOIN bag_similarities b ON b.bag = s.bag
  LEFT JOIN no_sets x ON x.slice = s.slice
  CROSS JOIN LATERAL (
    SELECT
      CASE
        WHEN x.slice IS NULL THEN s.answers * s.answers - (t.similar - coalesce(2 * b.whole - b.own, 0))
      END AS expected
  ) AS w
  WHERE s.unit
)
