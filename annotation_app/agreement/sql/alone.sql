-- A pair's items that only one of the two answered, by label: all that either said, less what they said of shared ones.
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
