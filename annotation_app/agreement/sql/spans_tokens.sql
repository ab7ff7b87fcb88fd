-- Where the whitespace tokens of an item's text start and end, in code points and in order: what Python's str.split()
-- gives. The white space is spelt out, as \s of a regular expression depends on the database's locale: under C.UTF-8 it
-- passes over the no-break spaces U+00A0, U+2007 and U+202F, over U+0085 and U+001C to U+001F.
SELECT
  c.unit, count(*) AS n,
  array_agg((t.reached - t.length)::int ORDER BY t.place) AS starts, array_agg(t.reached::int ORDER BY t.place) AS ends
FROM spans_compared c
CROSS JOIN LATERAL (
  SELECT place, length(word) AS length, sum(length(word) + 1) OVER (ORDER BY place) - 1 AS reached
  FROM string_to_table(
    translate(
      c.text,
      E'\t\n\u000b\f\r\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008'
      '\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
      repeat(' ', 28)
    ),
    ' '
  ) WITH ORDINALITY AS s(word, place)
) AS t
WHERE t.length > 0
GROUP BY c.unit
