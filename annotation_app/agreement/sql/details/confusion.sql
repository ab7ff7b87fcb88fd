-- What two raters answered on the items that both answered at one stage. Round 0 is all rounds together.
SELECT p.a, p.b, j.labels[1] AS said_by_a, j.labels[2] AS said_by_b, j.n::bigint
FROM slices p
JOIN joint j ON j.slice = p.slice
WHERE p.a > 0
ORDER BY p.a, p.b, j.labels
