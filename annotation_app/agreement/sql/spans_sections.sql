-- How often each length occurs among the units of a continuum, and among the gaps between them, of the whole group.
WITH placed AS (
  SELECT t.category, t.round, t.a, t.b, m.rater, t.before + m.low AS low, t.before + m.high AS high
  FROM spans_continua t
  JOIN spans_groups g USING (round, a, b)
  JOIN spans_merged m ON m.unit = t.unit AND m.category = t.category AND m.rater = ANY(g.raters)
),
lengths AS (
  SELECT category, round, a, b, high - low AS length, false AS is_gap FROM placed
  UNION ALL
  SELECT
    category, round, a, b,
    low - lag(high, 1, 0) OVER (PARTITION BY category, round, a, b, rater ORDER BY low), true
  FROM placed
  UNION ALL
  -- What is left behind each person's last unit, which is everything where they have none.
  SELECT s.category, s.round, s.a, s.b, s.length - coalesce(max(p.high), 0), true
  FROM spans_sizes s
  CROSS JOIN LATERAL unnest(s.raters) AS r(rater)
  LEFT JOIN placed p USING (category, round, a, b, rater)
  GROUP BY s.category, s.round, s.a, s.b, s.length, r.rater
)
SELECT category, round, a, b, length, is_gap, count(*) AS n
FROM lengths
WHERE length > 0
GROUP BY category, round, a, b, length, is_gap
