-- The totals of each view. n_items: items with an answer from someone under view; n_units: with two or more; n_complete:
-- from everyone; n_equal: with `ratings` answers; n_circular: units whose answers had to be equal for them to have a
-- majority. `reason` is why no statistic has a value here. `one_label_...` is the only label that occurs there, where it
-- is the only one, by its name where `names` has it.
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
