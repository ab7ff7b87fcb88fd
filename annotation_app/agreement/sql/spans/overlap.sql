-- Of each person's spans, by pair: how many have a partner, a span of the same category by the other one. Many may share
-- one partner. `touched`: one that shares a code point; `close`: one whose intersection over union is at least `iou`.
-- Such a one starts at most (1 - iou) lengths behind and (1 - iou) / iou lengths before: width_bucket finds these by
-- halving, a code point more on either side.
spans_partners AS (
  SELECT
    coalesce(f.category, 0) AS category, coalesce(f.round, 0) AS round, f.a, f.b,
    sum(f.n) FILTER (WHERE f.of_a AND f.touched) AS touched_a,
    sum(f.n) FILTER (WHERE NOT f.of_a AND f.touched) AS touched_b,
    sum(f.n) FILTER (WHERE f.of_a AND f.close) AS close_a,
    sum(f.n) FILTER (WHERE NOT f.of_a AND f.close) AS close_b
  FROM (
    SELECT
      s.round, s.a, s.b, s.rater = s.a AS of_a, x.category, x.n,
      int4range(x.low, x.high) && o.covered AS touched,
      EXISTS (
        SELECT
        FROM generate_series(
          width_bucket(floor(x.low - (x.high - x.low) * (1 - t.iou) / t.iou)::int - 2, o.lows) + 1,
          width_bucket(ceil(x.low + (x.high - x.low) * (1 - t.iou))::int + 1, o.lows)
        ) AS i
        WHERE (least(x.high, o.highs[i]) - greatest(x.low, o.lows[i]))::float8
          / (greatest(x.high, o.highs[i]) - least(x.low, o.lows[i])) >= t.iou
      ) AS close
    FROM spans_sides s
    JOIN spans_ranges x ON x.unit = s.unit AND x.rater = s.rater
    JOIN spans_marked o ON o.unit = s.unit AND o.rater = s.other AND o.category = x.category
    CROSS JOIN (SELECT %(iou)s::float8 AS iou) AS t
  ) AS f
  GROUP BY GROUPING SETS ((f.category, f.round, f.a, f.b), (f.category, f.a, f.b), (f.round, f.a, f.b), (f.a, f.b))
),

-- Overlap in two ways: with a shared code point ('any'), and with an intersection over union of at least `iou` ('iou').
-- precision: share of a's spans that have such a partner among b's; recall: share of b's that have one among a's; F1: their
-- harmonic mean. Many may share one partner, so that it is no one-to-one matching. Where only one of the two marked
-- anything, none of the spans has a partner: F1 is 0.
spans_overlap_parts AS (
  SELECT
    w.way, v.category, v.round, v.a, v.b, v.n_a, v.n_b,
    r.precision, r.recall,
    CASE
      WHEN v.n_a + v.n_b = 0 THEN NULL
      WHEN coalesce(r.precision * r.recall, 0) = 0 THEN 0
      ELSE 2 * r.precision * r.recall / (r.precision + r.recall)
    END AS value,
    CASE WHEN v.n_a + v.n_b = 0 THEN 'neither marked it' END AS reason,
    CASE WHEN v.n_a + v.n_b = 0 THEN 'neither marked it' WHEN v.n_a = 0 THEN 'the first marked none' END AS precision_reason,
    CASE WHEN v.n_a + v.n_b = 0 THEN 'neither marked it' WHEN v.n_b = 0 THEN 'the second marked none' END AS recall_reason
  FROM spans_slices v
  LEFT JOIN spans_partners p USING (category, round, a, b)
  CROSS JOIN LATERAL (VALUES ('any', p.touched_a, p.touched_b), ('iou', p.close_a, p.close_b)) AS w(way, of_a, of_b)
  CROSS JOIN LATERAL (
    SELECT
      coalesce(w.of_a, 0)::float8 / nullif(v.n_a, 0)::float8 AS precision,
      coalesce(w.of_b, 0)::float8 / nullif(v.n_b, 0)::float8 AS recall
  ) AS r
),

-- The statistics of both ways, one a row.
spans_overlap AS (
  SELECT o.category, o.round, o.a, o.b, f.*
  FROM spans_overlap_parts o
  CROSS JOIN LATERAL (
    VALUES
      ('overlap_' || o.way || '_f1', o.value, o.n_a + o.n_b, o.reason),
      ('overlap_' || o.way || '_precision', o.precision, o.n_a, o.precision_reason),
      ('overlap_' || o.way || '_recall', o.recall, o.n_b, o.recall_reason)
  ) AS f(statistic, value, n, reason)
)
