-- How often each label was given within the units of a view, and within its complete items.
SELECT
  u.view, l.label, sum(u.n) AS in_units, coalesce(sum(u.n) FILTER (WHERE u.complete), 0) AS in_complete
FROM units u
CROSS JOIN LATERAL unnest(u.labels) AS l(label)
GROUP BY u.view, l.label
