-- `round_bags` with all rounds together, which is round 0. Of `rounds` where they are given.
margins AS (
  SELECT c.stage, v.round, c.a, c.b, c.labels, sum(c.n::float8) AS n, sum(c.n_circular::float8) AS n_circular
  FROM round_bags c
  CROSS JOIN LATERAL (VALUES (c.round), (0)) AS v(round)
  WHERE %(rounds)s::bigint[] IS NULL OR v.round = ANY(%(rounds)s)
  GROUP BY c.stage, v.round, c.a, c.b, c.labels
),

-- On how many items each rater gave a label, by stage and round.
label_margins AS (
  SELECT stage, round, a AS rater, labels[1] AS label, n FROM margins WHERE a > 0 AND b = 0
),

-- A slice is a stage, a round (0: all together), and a group: a pair a < b, or everyone (a = b = 0). `of` leaves only
-- everyone, or only pairs; `pair` leaves one. A stage without answers is a slice without raters, so that it is
-- reported and not left out.
slices AS (
  WITH present AS (SELECT DISTINCT stage, round, rater FROM label_margins)
  SELECT row_number() OVER () AS slice, *
  FROM (
    SELECT stage, round, 0 AS a, 0 AS b, array_agg(rater ORDER BY rater) AS raters
    FROM present
    WHERE %(of)s <> 'pairs'
    GROUP BY stage, round
    UNION ALL
    SELECT x.stage, x.round, x.rater, y.rater, ARRAY[x.rater, y.rater]
    FROM present x
    JOIN present y ON y.stage = x.stage AND y.round = x.round AND y.rater > x.rater
    WHERE %(of)s <> 'everyone' AND (%(pair)s::int[] IS NULL OR ARRAY[x.rater, y.rater] = %(pair)s)
    UNION ALL
    SELECT s.stage, 0, 0, 0, '{}'
    FROM unnest(%(stages)s::text[]) AS s(stage)
    WHERE %(of)s <> 'pairs' AND (%(rounds)s::bigint[] IS NULL OR 0 = ANY(%(rounds)s))
      AND NOT EXISTS (SELECT FROM present p WHERE p.stage = s.stage)
  ) AS listed
),

-- How many items of a slice got these labels from its group. Everyone's labels are sorted; a pair's are [a's label,
-- b's label], of items that both answered.
joint AS (
  SELECT p.slice, p.a, m.labels, m.n, m.n_circular
  FROM margins m
  JOIN slices p ON p.stage = m.stage AND p.round = m.round AND p.a = m.a AND p.b = m.b
),

-- A pair's items that only one of the two answered, by label: all that either answered, less those that both did.
single_rated AS (
  SELECT slice, label, sum(n) AS n
  FROM (
    SELECT p.slice, s.label, s.n FROM slices p JOIN label_margins s ON s.stage = p.stage AND s.round = p.round AND s.rater = p.a
    UNION ALL
    SELECT p.slice, s.label, s.n FROM slices p JOIN label_margins s ON s.stage = p.stage AND s.round = p.round AND s.rater = p.b
    UNION ALL
    SELECT j.slice, l.label, -j.n FROM joint j CROSS JOIN LATERAL unnest(j.labels) AS l(label) WHERE j.a > 0
  ) AS balance
  GROUP BY slice, label
  HAVING sum(n) > 0
),

-- A bag is what the group of a slice gave to one item, and `n` is the number of items with it. `m` is the number of
-- answers in the bag, and `same` the sum of squares of its label counts. A complete bag holds an answer of everyone
-- in the group. The labels of `n_circular` items had to be equal for these to have a majority.
bags AS (
  SELECT
    row_number() OVER () AS bag,
    b.slice, b.labels, b.n, b.n_circular, cardinality(b.labels)::float8 AS m,
    (SELECT sum(c * c)::float8 FROM (SELECT count(*) AS c FROM unnest(b.labels) AS l GROUP BY l) AS counts) AS same,
    cardinality(b.labels) = cardinality(p.raters) AS complete
  FROM (
    SELECT slice, labels, n, n_circular FROM joint
    UNION ALL
    SELECT slice, ARRAY[label], n, 0 FROM single_rated
  ) AS b
  JOIN slices p ON p.slice = b.slice
),

-- How often each label stands in a bag.
bag_labels AS (
  SELECT b.slice, b.bag, l.label, count(*)::float8 AS k
  FROM bags b
  CROSS JOIN LATERAL unnest(b.labels) AS l(label)
  GROUP BY b.slice, b.bag, l.label
),

-- How many answers an item of a slice usually has: the number that most of its items with two or more have. Of two
-- such numbers it is the larger one.
ratings AS (
  SELECT DISTINCT ON (slice) slice, m AS ratings
  FROM (SELECT slice, m, sum(n) AS n FROM bags WHERE m >= 2 GROUP BY slice, m) AS counted
  ORDER BY slice, n DESC, m DESC
),

-- How often each label was given within a slice. `share` counts each item as one, divided among its answers.
-- `in_units` counts answers to items with two or more, `in_complete` to complete items, `in_equal` to items with the
-- usual number of answers. `of_a` and `of_b` are those of each of a pair.
label_counts AS (
  SELECT
    b.slice, l.label,
    sum(b.n * l.k / b.m) AS share,
    coalesce(sum(b.n * l.k) FILTER (WHERE b.m >= 2), 0) AS in_units,
    coalesce(sum(b.n * l.k) FILTER (WHERE b.complete), 0) AS in_complete,
    coalesce(sum(b.n * l.k) FILTER (WHERE b.m = r.ratings), 0) AS in_equal,
    coalesce(sum(b.n) FILTER (WHERE b.complete AND b.labels[1] = l.label), 0) AS of_a,
    coalesce(sum(b.n) FILTER (WHERE b.complete AND b.labels[2] = l.label), 0) AS of_b
  FROM bags b
  JOIN bag_labels l ON l.bag = b.bag
  LEFT JOIN ratings r ON r.slice = b.slice
  GROUP BY b.slice, l.label
),

-- The totals of each slice, and the measure of its stage in `measures`.
-- `n_items` have an answer from its group, `n_units` two or more, `n_complete` one from
-- everyone, and `n_equal` the usual number. Of `n_circular` units all answers had to be equal for them to have a
-- majority. `reason` says why no statistic has a value. `one_label_...` is the label, by its name in `names`, of
-- answers that are all the same.
slice_totals AS (
  SELECT
    p.slice, p.stage, p.round, p.a, p.b, p.raters, cardinality(p.raters) AS n_raters,
    coalesce(%(measures)s::jsonb ->> p.stage, 'nominal') AS measure,
    coalesce(s.n_items, 0) AS n_items,
    coalesce(s.n_units, 0) AS n_units,
    coalesce(s.n_complete, 0) AS n_complete,
    coalesce(s.n_equal, 0) AS n_equal,
    coalesce(s.n_circular, 0) AS n_circular,
    s.n_complete_circular, s.n_equal_circular, e.ratings,
    s.agreeing, s.pairs, s.agreement, s.disagreement, s.agreeing_complete, s.agreeing_equal,
    c.circular, l.answers, l.squares, l.squares_complete, l.squares_equal, l.crossed, l.squares_share, l.n_labels,
    CASE
      WHEN s.n_items IS NULL THEN 'no answers'
      WHEN cardinality(p.raters) < 2 THEN 'fewer than two raters'
      WHEN coalesce(s.n_units, 0) = 0 THEN 'no unit with two answers'
      WHEN s.n_circular = s.n_units THEN c.circular
    END AS reason,
    coalesce(%(names)s::jsonb -> p.stage ->> l.one_label_in_units, l.one_label_in_units) AS one_label_in_units,
    coalesce(%(names)s::jsonb -> p.stage ->> l.one_label_in_complete, l.one_label_in_complete) AS one_label_in_complete,
    coalesce(%(names)s::jsonb -> p.stage ->> l.one_label_in_equal, l.one_label_in_equal) AS one_label_in_equal
  FROM slices p
  CROSS JOIN (
    VALUES (
      'circular: each of these items has just as many answers as a majority takes (of two answers, both), so that '
      'having a majority means that all of them agree'
    )
  ) AS c(circular)
  LEFT JOIN ratings e ON e.slice = p.slice
  LEFT JOIN (
    SELECT
      b.slice,
      sum(n) AS n_items,
      sum(n) FILTER (WHERE m >= 2) AS n_units,
      sum(n) FILTER (WHERE complete) AS n_complete,
      sum(n) FILTER (WHERE m = ratings) AS n_equal,
      sum(n_circular) FILTER (WHERE m >= 2) AS n_circular,
      sum(n_circular) FILTER (WHERE complete) AS n_complete_circular,
      sum(n_circular) FILTER (WHERE m = ratings) AS n_equal_circular,
      sum(n * (same - m)) AS agreeing,
      sum(n * m * (m - 1)) AS pairs,
      sum(n * (same - m) / (m * (m - 1))) FILTER (WHERE m >= 2) AS agreement,
      sum(n * (m * m - same) / (m - 1)) FILTER (WHERE m >= 2) AS disagreement,
      sum(n * (same - m)) FILTER (WHERE complete) AS agreeing_complete,
      sum(n * (same - m)) FILTER (WHERE m = ratings) AS agreeing_equal
    FROM bags b
    LEFT JOIN ratings r ON r.slice = b.slice
    GROUP BY b.slice
  ) AS s ON s.slice = p.slice
  LEFT JOIN (
    SELECT
      slice,
      sum(in_units) AS answers, sum(in_units * in_units) AS squares, sum(in_complete * in_complete) AS squares_complete,
      sum(in_equal * in_equal) AS squares_equal,
      sum(of_a * of_b) AS crossed, sum(share * share) AS squares_share, count(*)::float8 AS n_labels,
      CASE WHEN count(*) FILTER (WHERE in_units > 0) = 1 THEN min(label) FILTER (WHERE in_units > 0) END
        AS one_label_in_units,
      CASE WHEN count(*) FILTER (WHERE in_complete > 0) = 1 THEN min(label) FILTER (WHERE in_complete > 0) END
        AS one_label_in_complete,
      CASE WHEN count(*) FILTER (WHERE in_equal > 0) = 1 THEN min(label) FILTER (WHERE in_equal > 0) END
        AS one_label_in_equal
    FROM label_counts
    GROUP BY slice
  ) AS l ON l.slice = p.slice
),

-- The totals from which every statistic follows: of the whole slice (bag 0), and without one item of each bag, for
-- the jackknife. `n` items are like it. A square of a sum that loses k is (x - k)^2 = x^2 - 2 x k + k^2.
samples AS (
  WITH lost AS (
    SELECT
      b.bag, b.slice, b.n, b.m, b.same, (b.m >= 2)::int AS unit, b.complete::int AS complete,
      coalesce(b.m = r.ratings, false)::int AS equal,
      (b.same - b.m) / nullif(b.m * (b.m - 1), 0) AS agreement,
      (b.m * b.m - b.same) / nullif(b.m - 1, 0) AS disagreement,
      x.units, x.complete AS complete_cross, x.equal AS equal_cross, x.share,
      CASE WHEN b.complete THEN x.crossed END AS crossed
    FROM bags b
    LEFT JOIN ratings r ON r.slice = b.slice
    JOIN (
      SELECT
        l.bag, sum(l.k * c.in_units) AS units, sum(l.k * c.in_complete) AS complete,
        sum(l.k * c.in_equal) AS equal, sum(l.k * c.share) AS share,
        sum(c.of_a * (c.label = b.labels[2])::int + c.of_b * (c.label = b.labels[1])::int) AS crossed
      FROM bag_labels l
      JOIN bags b ON b.bag = l.bag
      JOIN label_counts c ON c.slice = l.slice AND c.label = l.label
      GROUP BY l.bag
    ) AS x ON x.bag = b.bag
  )
  SELECT
    slice, 0 AS bag, 1 AS n, true AS unit, true AS complete, true AS equal,
    n_items, n_units, n_complete, n_equal, agreeing, pairs, agreement, disagreement, agreeing_complete, agreeing_equal,
    answers, squares, squares_complete, squares_equal, crossed, squares_share
  FROM slice_totals
  UNION ALL
  SELECT
    v.slice, d.bag, d.n, d.unit = 1, d.complete = 1, d.equal = 1,
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
  JOIN slice_totals v ON v.slice = d.slice
)
