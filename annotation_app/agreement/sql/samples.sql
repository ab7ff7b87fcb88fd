-- The totals from which every coefficient follows: of the whole view (bag 0), and of the view without one item of each
-- bag, for the jackknife; `n` items are like it. A square of a sum that loses k is (x - k)^2 = x^2 - 2 x k + k^2.
WITH lost AS (
  SELECT
    b.bag, b.view, b.n, b.m, b.same, (b.m >= 2)::int AS unit, b.complete::int AS complete,
    coalesce(b.m = r.ratings, false)::int AS equal,
    (b.same - b.m) / nullif(b.m * (b.m - 1), 0) AS agreement,
    (b.m * b.m - b.same) / nullif(b.m - 1, 0) AS disagreement,
    x.units, x.complete AS complete_cross, x.equal AS equal_cross, x.share,
    CASE WHEN b.complete THEN x.crossed END AS crossed
  FROM bags b
  LEFT JOIN ratings r ON r.view = b.view
  JOIN (
    SELECT
      l.bag, sum(l.k * c.in_units) AS units, sum(l.k * c.in_complete) AS complete,
      sum(l.k * c.in_equal) AS equal, sum(l.k * c.share) AS share,
      sum(c.of_a * (c.label = b.labels[2])::int + c.of_b * (c.label = b.labels[1])::int) AS crossed
    FROM bag_labels l
    JOIN bags b ON b.bag = l.bag
    JOIN label_counts c ON c.view = l.view AND c.label = l.label
    GROUP BY l.bag
  ) AS x ON x.bag = b.bag
)
SELECT
  view, 0 AS bag, 1 AS n, true AS unit, true AS complete, true AS equal,
  n_items, n_units, n_complete, n_equal, agreeing, pairs, agreement, disagreement, agreeing_complete, agreeing_equal,
  answers, squares, squares_complete, squares_equal, crossed, squares_share
FROM views
UNION ALL
SELECT
  v.view, d.bag, d.n, d.unit = 1, d.complete = 1, d.equal = 1,
  v.n_items - 1,
  v.n_units - d.unit,
  v.n_complete - d.complete,
  v.n_equal - d.equal,
  v.agreeing - (d.same - d.m),
  v.pairs - d.m * (d.m - 1),
  v.agreement - coalesce(d.agreement, 0),
  v.disagreement - coalesce(d.disagreement, 0),
  v.agreeing_complete - d.complete * (d.same - d.m),
  v.agreeing_equal - d.equal * (d.same - d.m),
  v.answers - d.unit * d.m,
  v.squares - d.unit * (2 * d.units - d.same),
  v.squares_complete - d.complete * (2 * d.complete_cross - d.same),
  v.squares_equal - d.equal * (2 * d.equal_cross - d.same),
  -- Of two people: sum_c (a_c - [c = a's label]) (b_c - [c = b's label]).
  v.crossed - coalesce(d.crossed, 0) + d.complete * (d.same = 4 AND d.m = 2)::int,
  v.squares_share - (2 * d.share / d.m - d.same / (d.m * d.m))
FROM lost d
JOIN views v ON v.view = d.view
