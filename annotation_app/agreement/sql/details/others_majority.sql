-- What each rater answered beside the majority of the others: the label that more than half of an item's other
-- answers are, NULL where none is. With two answers it is the other person's, with three the one that both others
-- gave.
others_majority AS (
  SELECT
    c.stage, c.round, x.rater, x.label, o.label AS others, cardinality(c.labels) > 1 AS is_shared, sum(c.n)::bigint AS n
  FROM selected_patterns c
  CROSS JOIN LATERAL unnest(c.raters, c.labels) AS x(rater, label)
  LEFT JOIN LATERAL (
    SELECT l.label
    FROM unnest(c.labels) AS l(label)
    GROUP BY l.label
    HAVING count(*) - (l.label = x.label)::int >= rules.majority_takes(cardinality(c.labels) - 1)
  ) AS o ON true
  GROUP BY c.stage, c.round, x.rater, x.label, o.label, cardinality(c.labels) > 1
)
