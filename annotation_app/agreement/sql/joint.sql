-- What two people said of the items that both answered: [a's label, b's label], on `n` of them.
SELECT concat_ws('/', p.stage, v.round, x.rater, y.rater) AS view, ARRAY[x.label, y.label] AS labels, sum(p.n) AS n
FROM patterns p
CROSS JOIN LATERAL unnest(p.raters, p.labels) AS x(rater, label)
CROSS JOIN LATERAL unnest(p.raters, p.labels) AS y(rater, label)
CROSS JOIN LATERAL (VALUES (p.round), (0)) AS v(round)
WHERE x.rater < y.rater AND (%(round)s::int IS NULL OR v.round = %(round)s)
  AND %(of)s <> 'everyone' AND (%(pair)s::int[] IS NULL OR ARRAY[x.rater, y.rater] = %(pair)s)
GROUP BY 1, 2
