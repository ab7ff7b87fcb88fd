-- Who is under view: everyone who answered at a stage in a round, and each pair of them, or `of` these only everyone, only
-- pairs, or only one pair. Views are numbered: round 0 is all rounds together, a = b = 0 is everyone. A stage at which
-- nobody answered is a view without people, so that it is reported and not left out.
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
