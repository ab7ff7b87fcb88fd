-- Overlap in two ways: with a shared code point ('any'), and with an intersection over union of at least `iou` ('iou').
-- precision: share of a's spans that have such a partner among b's; recall: share of b's that have one among a's; F1: their
-- harmonic mean. Many may share one partner, so that it is no one-to-one matching. Where only one of the two marked
-- anything, none of the spans has a partner: F1 is 0.
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
FROM spans_views v
LEFT JOIN spans_partners p USING (category, round, a, b)
CROSS JOIN LATERAL (VALUES ('any', p.touched_a, p.touched_b), ('iou', p.close_a, p.close_b)) AS w(way, of_a, of_b)
CROSS JOIN LATERAL (
  SELECT
    coalesce(w.of_a, 0)::float8 / nullif(v.n_a, 0)::float8 AS precision,
    coalesce(w.of_b, 0)::float8 / nullif(v.n_b, 0)::float8 AS recall
) AS r
