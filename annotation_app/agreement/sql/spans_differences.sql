-- Squared differences of two people's sections of an item, summed: (start - start)^2 + (end - end)^2 for two units that
-- overlap; the square of its length for a unit that lies in a gap of the other one; 0 for anything else.
SELECT s.unit, s.a, s.b, x.category, sum(d.difference) AS difference
FROM spans_sides s
JOIN spans_merged x ON x.unit = s.unit AND x.rater = s.rater
LEFT JOIN spans_islands o ON o.unit = s.unit AND o.rater = s.other AND o.category = x.category
CROSS JOIN LATERAL (
  SELECT coalesce(width_bucket(x.low, o.highs), 0) + 1, coalesce(width_bucket(x.high - 1, o.lows), 0)
) AS met(first, last)
CROSS JOIN LATERAL (
  SELECT
    CASE
      WHEN met.first > met.last THEN (x.high - x.low)::numeric * (x.high - x.low)
      -- An overlap is met from both sides, and counted from one.
      WHEN s.rater = s.a THEN (
        SELECT sum((x.low - o.lows[i])::numeric * (x.low - o.lows[i]) + (x.high - o.highs[i])::numeric * (x.high - o.highs[i]))
        FROM generate_series(met.first, met.last) AS i
      )
      ELSE 0
    END
) AS d(difference)
GROUP BY s.unit, s.a, s.b, x.category
