-- Where the whitespace tokens of an item's text start and end, in code points and in order: what Python's str.split()
-- gives. The white space is spelt out, as \s depends on the database's locale: under C.UTF-8 it passes over the no-break
-- spaces U+00A0, U+2007 and U+202F, U+0085 and U+001C to U+001F.
SELECT
  c.unit, count(*) AS n,
  array_agg((t.reached - t.length)::int ORDER BY t.place) AS starts, array_agg(t.reached::int ORDER BY t.place) AS ends
FROM spans_compared c
CROSS JOIN LATERAL (
  SELECT
    place, length(found[2]) AS length,
    sum(length(found[1]) + length(found[2])) OVER (ORDER BY place) AS reached
  FROM regexp_matches(
    c.text,
    '([\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*)'
    '([^\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+)',
    'g'
  ) WITH ORDINALITY AS r(found, place)
) AS t
GROUP BY c.unit
