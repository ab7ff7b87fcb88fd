-- The bags of each pattern: everyone's labels together, sorted; each rater's; each pair's. `of` and `pair` leave some
-- of them out (see `slices`). Each rater's stay, since they say who answered.
expanded AS (
  SELECT p.*, x.a, x.b, x.given
  FROM patterns p
  CROSS JOIN LATERAL (
    SELECT 0 AS a, 0 AS b, ARRAY(SELECT l FROM unnest(p.labels) AS l ORDER BY l) AS given
    WHERE %(of)s <> 'pairs'
    UNION ALL
    SELECT o.rater, 0, ARRAY[o.label] FROM unnest(p.raters, p.labels) AS o(rater, label)
    UNION ALL
    SELECT o.rater, y.rater, ARRAY[o.label, y.label]
    FROM unnest(p.raters, p.labels) AS o(rater, label)
    CROSS JOIN LATERAL unnest(p.raters, p.labels) AS y(rater, label)
    WHERE o.rater < y.rater
      AND %(of)s <> 'everyone' AND (%(pair)s::int[] IS NULL OR ARRAY[o.rater, y.rater] = %(pair)s)
  ) AS x
),

-- The bags of all patterns, by round.
round_bags AS (
  SELECT stage, round, a, b, given AS labels, sum(n)::bigint AS n, sum(n_circular)::bigint AS n_circular
  FROM expanded
  GROUP BY stage, round, a, b, given
)
