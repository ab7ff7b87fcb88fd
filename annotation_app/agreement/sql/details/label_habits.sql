-- What a rater answers beside what the others answer on the same items, label by label. `own` and `others` are mean
-- shares over the `n` items that the rater and at least one other answered; an item's others count as one together.
-- The difference is taken item by item, so that its standard error is that of a mean over items.
SELECT
  rater, label, n, own, others,
  CASE WHEN n > 1 THEN sqrt(greatest(squares - n * (own - others) ^ 2, 0) / (n * (n - 1))) END AS standard_error
FROM (
  SELECT
    rater, label, squares,
    (sum(n_own) OVER (PARTITION BY rater))::float8 AS n,
    n_own / sum(n_own) OVER (PARTITION BY rater) AS own,
    of_others / sum(n_own) OVER (PARTITION BY rater) AS others
  FROM (
    SELECT
      x.rater, l.label,
      coalesce(sum(p.n) FILTER (WHERE x.label = l.label), 0)::float8 AS n_own,
      sum(p.n * d.others) AS of_others,
      sum(p.n * ((x.label = l.label)::int - d.others) ^ 2) AS squares
    FROM patterns p
    CROSS JOIN LATERAL (SELECT o.label, count(*) AS k FROM unnest(p.labels) AS o(label) GROUP BY o.label) AS l
    CROSS JOIN LATERAL unnest(p.raters, p.labels) AS x(rater, label)
    CROSS JOIN LATERAL (
      SELECT (l.k - (x.label = l.label)::int)::float8 / (cardinality(p.labels) - 1) AS others
    ) AS d
    WHERE p.stage = %(stage)s AND (%(round)s = 0 OR p.round = %(round)s) AND cardinality(p.labels) > 1
    GROUP BY x.rater, l.label
  ) AS counted
) AS means
ORDER BY rater, label
