-- Each person against the majority: the share of the items that they answered where their label is the majority's; an
-- ambiguous one never is. `collapsed` takes the lowest label of an ordered stage against all others (Table 4 of OP-FED:
-- context needed or not), after the vote. Rater 0 is the number of items there are.
SELECT
  rater, n, n_right, n_right::float8 / nullif(n, 0) AS accuracy, n_collapsed, n_collapsed::float8 / nullif(n, 0) AS collapsed
FROM (
  SELECT
    x.rater,
    sum(g.n)::bigint AS n,
    coalesce(sum(g.n) FILTER (WHERE x.label = g.gold), 0)::bigint AS n_right,
    CASE
      WHEN %(lowest)s::text IS NOT NULL
      THEN coalesce(
        sum(g.n) FILTER (
          WHERE (x.label = %(lowest)s) = (g.gold = %(lowest)s) AND x.label <> ALL(%(ambiguous)s::text[])
        ),
        0
      )::bigint
    END AS n_collapsed
  FROM golds g
  CROSS JOIN LATERAL unnest(g.raters, g.labels) AS x(rater, label)
  GROUP BY x.rater
  UNION ALL
  SELECT 0, coalesce(sum(n), 0)::bigint, 0, NULL FROM golds
) AS counted
ORDER BY rater
