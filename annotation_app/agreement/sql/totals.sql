-- The same with all rounds together, which is round 0; all of it, or the rounds that are asked for.
margins AS (
  SELECT c.stage, v.round, c.a, c.b, c.labels, sum(c.n::float8) AS n, sum(c.n_circular::float8) AS n_circular
  FROM counted c
  CROSS JOIN LATERAL (VALUES (c.round), (0)) AS v(round)
  WHERE %(rounds)s::bigint[] IS NULL OR v.round = ANY(%(rounds)s)
  GROUP BY c.stage, v.round, c.a, c.b, c.labels
),

-- On how many items each rater gave a label, by stage and round. Round 0 is all rounds together.
said AS (
  SELECT stage, round, a AS rater, labels[1] AS label, n FROM margins WHERE a > 0 AND b = 0
),

-- Who is under view: everyone who answered at a stage in a round, and each pair of them, or `of` these only everyone, only
-- pairs, or only one pair. Views are numbered: round 0 is all rounds together, a = b = 0 is everyone. A stage at which
-- nobody answered is a view without people, so that it is reported and not left out.
people AS (
  WITH present AS (SELECT DISTINCT stage, round, rater FROM said)
  SELECT row_number() OVER () AS view, *
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

-- What the people of a view said together, on `n` items: everyone's labels, sorted, of whoever answered; of a pair
-- [a's label, b's label], of items that both answered.
joint AS (
  SELECT p.view, p.a, m.labels, m.n, m.n_circular
  FROM margins m
  JOIN people p ON p.stage = m.stage AND p.round = m.round AND p.a = m.a AND p.b = m.b
),

-- A pair's items that only one of the two answered, by label: all that either said, less what they said of shared ones.
alone AS (
  SELECT view, label, sum(n) AS n
  FROM (
    SELECT p.view, s.label, s.n FROM people p JOIN said s ON s.stage = p.stage AND s.round = p.round AND s.rater = p.a
    UNION ALL
    SELECT p.view, s.label, s.n FROM people p JOIN said s ON s.stage = p.stage AND s.round = p.round AND s.rater = p.b
    UNION ALL
    SELECT j.view, l.label, -j.n FROM joint j CROSS JOIN LATERAL unnest(j.labels) AS l(label) WHERE j.a > 0
  ) AS balance
  GROUP BY view, label
  HAVING sum(n) > 0
),

-- The labels given to an item by the people under view, with the number `n` of items where it was so. A pair's bag is
-- [a's label, b's label], everyone's is sorted. `m` is the number of answers in the bag, `same` the sum of squares of the
-- label counts in it. Complete bags hold an answer of everyone under view. Of `n_circular` items all answers had to be equal.
bags AS (
  SELECT
    row_number() OVER () AS bag,
    b.view, b.labels, b.n, b.n_circular, cardinality(b.labels)::float8 AS m,
    (SELECT sum(c * c)::float8 FROM (SELECT count(*) AS c FROM unnest(b.labels) AS l GROUP BY l) AS counts) AS same,
    cardinality(b.labels) = cardinality(p.raters) AS complete
  FROM (
    SELECT view, labels, n, n_circular FROM joint
    UNION ALL
    SELECT view, ARRAY[label], n, 0 FROM alone
  ) AS b
  JOIN people p ON p.view = b.view
),

-- How often each label stands in a bag.
bag_labels AS (
  SELECT b.view, b.bag, l.label, count(*)::float8 AS k
  FROM bags b
  CROSS JOIN LATERAL unnest(b.labels) AS l(label)
  GROUP BY b.view, b.bag, l.label
),

-- How many answers an item of a view usually has: the number that the most items with two or more have; of two such
-- numbers the larger one.
ratings AS (
  SELECT DISTINCT ON (view) view, m AS ratings
  FROM (SELECT view, m, sum(n) AS n FROM bags WHERE m >= 2 GROUP BY view, m) AS counted
  ORDER BY view, n DESC, m DESC
),

-- How often each label was given within a view: `share` counts each item as one, divided among its answers; `in_units`
-- counts answers to items with two or more, `in_complete` those to complete items, `in_equal` to items with the usual number, `of_a` and `of_b` those of each of two.
label_counts AS (
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
),

-- The totals of each view. n_items: items with an answer from someone under view; n_units: with two or more; n_complete:
-- from everyone; n_equal: with `ratings` answers; n_circular: units whose answers had to be equal for them to have a
-- majority. `reason` is why no statistic has a value here. `one_label_...` is the only label that occurs there, where it
-- is the only one, by its name where `names` has it.
views AS (
  SELECT
    p.view, p.stage, p.round, p.a, p.b, p.raters, cardinality(p.raters) AS n_raters,
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
  FROM people p
  CROSS JOIN (
    VALUES (
      'circular: each of these items has just as many answers as a majority takes (of two answers, both), so that '
      'having a majority means that all of them agree'
    )
  ) AS c(circular)
  LEFT JOIN ratings e ON e.view = p.view
  LEFT JOIN (
    SELECT
      b.view,
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
    LEFT JOIN ratings r ON r.view = b.view
    GROUP BY b.view
  ) AS s ON s.view = p.view
  LEFT JOIN (
    SELECT
      view,
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
    GROUP BY view
  ) AS l ON l.view = p.view
),

-- The totals from which every coefficient follows: of the whole view (bag 0), and of the view without one item of each
-- bag, for the jackknife; `n` items are like it. A square of a sum that loses k is (x - k)^2 = x^2 - 2 x k + k^2.
samples AS (
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
)
