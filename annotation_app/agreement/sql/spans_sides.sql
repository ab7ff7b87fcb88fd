-- Each pair both ways round: `rater` against `other`.
SELECT p.unit, p.round, p.a, p.b, s.rater, s.other
FROM spans_pairs p
CROSS JOIN LATERAL (VALUES (p.a, p.b), (p.b, p.a)) AS s(rater, other)
