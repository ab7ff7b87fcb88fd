WITH
-- Patterns of items with a majority at the stage, beside the majority's label, unless that counts as ambiguous. Of
-- `n_circular` items everyone's answer had to be the majority's (see `scope/majority.sql`).
golds AS (
  SELECT
    v.round, c.raters, c.labels, c.gold, sum(c.n)::bigint AS n,
    coalesce(sum(c.n) FILTER (WHERE cardinality(c.labels) = c.majority_takes), 0)::bigint AS n_circular
  FROM (
    SELECT round, raters, labels, n, majority_takes, majorities::jsonb ->> stage AS gold
    FROM selected_patterns
    WHERE %(settled)s::jsonb -> concat_ws(' ', codebook, majorities) ? stage
  ) AS c
  CROSS JOIN LATERAL (VALUES (c.round), (0)) AS v(round)
  WHERE v.round = %(round)s AND c.gold <> ALL(%(ambiguous)s::text[])
  GROUP BY v.round, c.raters, c.labels, c.gold
)

-- Each rater against the majority, their own vote among the votes: the share of the items that they answered where
-- their label is the majority's. An ambiguous label never is. `collapsed` takes the lowest label of an ordered stage
-- against all others (Table 4 of OP-FED: context needed or not), after the vote. Where every item has just as many
-- answers as a majority takes, everybody is right by construction: no value. Rater 0 is the number of items there
-- are.
SELECT
  rater, n, n_right,
  CASE WHEN n_circular < n THEN n_right::float8 / n END AS accuracy,
  n_collapsed,
  CASE WHEN n_circular < n THEN n_collapsed::float8 / n END AS collapsed,
  n_circular,
  CASE
    WHEN n_circular = n AND n > 0
    THEN 'circular: each of these items has just as many answers as a majority takes, so that every answer is the '
      'majority''s'
    ELSE ''
  END AS reason
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
    END AS n_collapsed,
    sum(g.n_circular)::bigint AS n_circular
  FROM golds g
  CROSS JOIN LATERAL unnest(g.raters, g.labels) AS x(rater, label)
  GROUP BY x.rater
  UNION ALL
  SELECT 0, coalesce(sum(n), 0)::bigint, 0, NULL, coalesce(sum(n_circular), 0)::bigint FROM golds
) AS counted
ORDER BY rater
