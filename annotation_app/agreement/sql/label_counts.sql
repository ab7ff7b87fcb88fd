-- How often each label was given within a view: `share` counts each item as one, divided among its answers; `in_units`
-- counts answers to items with two or more, `in_complete` those to complete items, `in_equal` to items with the usual number, `of_a` and `of_b` those of each of two.
SELECT
  b.view, l.label,
  sum(b.n * l.k / b.m) AS share,
  coalesce(sum(b.n * l.k) FILTER (WHERE b.m >= 2), 0) AS in_units,
  coalesce(sum(b.n * l.k) FILTER (WHERE b.complete), 0) AS in_complete,
  coalesce(sum(b.n * l.k) FILTER (WHERE b.m = r.ratings), 0) AS in_equal,
  coalesce(sum(b.n) FILTER (WHERE b.complete AND b.labels[1] = l.label), 0) AS of_a,
  coalesce(sum(b.n) FILTER (WHERE b.complete AND b.labels[2] = l.label), 0) AS of_b
FROM bags b
JOIN bag_labels l ON l.bag = b.bag
LEFT JOIN ratings r ON r.view = b.view
GROUP BY b.view, l.label
