-- The order of the labels of ordinal stages, from {stage: [label, ...]}: places count from 1.
label_places AS (
  SELECT o.key AS stage, l.label, l.place
  FROM jsonb_each(%(orders)s::jsonb) AS o
  CROSS JOIN LATERAL jsonb_array_elements_text(o.value) WITH ORDINALITY AS l(label, place)
),

placed_labels AS (
  SELECT l.view, l.bag, p.place, l.k
  FROM bag_labels l
  JOIN views v ON v.view = l.view
  JOIN label_places p ON p.stage = v.stage AND p.label = l.label
),

-- Krippendorff's coincidences of two different labels of an ordinal stage in the units of a view, each pair counted once;
-- `place` and `other` are their places in the stage's order.
coincidences AS (
  SELECT b.view, c.place, k.place AS other, sum(b.n * c.k * k.k / (b.m - 1)) AS o
  FROM bags b
  JOIN placed_labels c ON c.bag = b.bag
  JOIN placed_labels k ON k.bag = b.bag AND k.place > c.place
  WHERE b.m >= 2
  GROUP BY b.view, c.place, k.place
),

-- Krippendorff's alpha for ordered labels (Krippendorff 2011). The distance of two labels is
--   (sum of n_g from c to k - (n_c + n_k) / 2)^2 = (r_k - r_c)^2  with the midrank  r_c = n_1 + ... + n_(c-1) + n_c / 2,
-- alpha = 1 - (n - 1) * sum_(c<k) o_ck (r_k - r_c)^2 / sum_(c<k) n_c n_k (r_k - r_c)^2. An item that is left out moves the
-- midranks too.
alpha_ordinal AS (
  WITH places AS (
    SELECT v.view, p.place, p.label, coalesce(c.in_units, 0) AS answers
    FROM views v
    JOIN label_places p ON p.stage = v.stage
    LEFT JOIN label_counts c ON c.view = v.view AND c.label = p.label
    WHERE v.reason IS NULL
  ), counts AS (
    SELECT s.view, s.bag, p.place, p.answers - coalesce(l.k, 0) AS answers, coalesce(l.k, 0) AS k
    FROM samples s
    JOIN places p ON p.view = s.view
    LEFT JOIN placed_labels l ON l.bag = s.bag AND l.place = p.place
    WHERE s.unit
  ), ranks AS (
    SELECT *, sum(answers) OVER (PARTITION BY view, bag ORDER BY place) - answers / 2 AS r FROM counts
  ), distances AS (
    SELECT
      c.view, c.bag,
      sum((coalesce(o.o, 0) - coalesce(c.k * k.k / nullif(b.m - 1, 0), 0)) * (k.r - c.r) * (k.r - c.r)) AS observed,
      sum(c.answers * k.answers * (k.r - c.r) * (k.r - c.r)) AS expected
    FROM ranks c
    JOIN ranks k ON k.view = c.view AND k.bag = c.bag AND k.place > c.place
    LEFT JOIN bags b ON b.bag = c.bag
    LEFT JOIN coincidences o ON o.view = c.view AND o.place = c.place AND o.other = k.place
    GROUP BY c.view, c.bag
  ), misplaced AS (
    SELECT v.view, min(c.label) AS label
    FROM views v
    JOIN label_counts c ON c.view = v.view AND c.in_units > 0
    WHERE NOT EXISTS (SELECT FROM label_places p WHERE p.stage = v.stage AND p.label = c.label)
    GROUP BY v.view
  )
  SELECT
    s.view, s.bag, s.n,
    CASE WHEN x.label IS NULL THEN 1 - (s.answers - 1) * d.observed / nullif(d.expected, 0) END AS value,
    coalesce(
      v.reason,
      CASE
        WHEN NOT EXISTS (SELECT FROM label_places p WHERE p.stage = v.stage)
        THEN 'the labels of this stage have no order'
      END,
      'undefined: ' || coalesce(%(names)s::jsonb -> v.stage ->> x.label, x.label) || ' has no place in the order of the labels',
      'undefined, no variation: every answer is ' || v.one_label_in_units
    ) AS reason
  FROM samples s
  JOIN views v ON v.view = s.view
  LEFT JOIN distances d ON d.view = s.view AND d.bag = s.bag
  LEFT JOIN misplaced x ON x.view = s.view
  WHERE s.unit
)
