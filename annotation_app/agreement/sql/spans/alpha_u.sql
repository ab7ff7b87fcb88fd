-- The units of alpha_u: overlapping spans of a category by one person as one, as alpha_u knows no overlap within a
-- category; spans that only touch stay apart. `n` spans made one unit.
spans_merged AS (
  SELECT unit, rater, category, min(low) AS low, max(high) AS high, sum(n) AS n
  FROM (
    SELECT *, count(*) FILTER (WHERE opens) OVER (PARTITION BY unit, rater, category ORDER BY low, high) AS place
    FROM (
      SELECT
        *,
        low >= max(high) OVER (
          PARTITION BY unit, rater, category ORDER BY low, high ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) IS NOT FALSE AS opens
      FROM spans_ranges
    ) AS marked
  ) AS placed
  GROUP BY unit, rater, category, place
),

-- The units of a person in an item as two ordered arrays, in which width_bucket finds a place by halving.
spans_islands AS (
  SELECT unit, rater, category, array_agg(low ORDER BY low) AS lows, array_agg(high ORDER BY low) AS highs
  FROM spans_merged
  GROUP BY unit, rater, category
),

-- Squared differences of two people's sections of an item, summed: (start - start)^2 + (end - end)^2 for two units that
-- overlap; the square of its length for a unit that lies in a gap of the other one; 0 for anything else.
spans_differences AS (
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
),

-- Whose units alpha_u compares: each pair, and everyone (a = b = 0) who submitted in the round. A single round is all
-- rounds, and is not counted twice.
spans_groups AS (
  SELECT *
  FROM (
    SELECT round, a, b, ARRAY[a, b] AS raters FROM (SELECT DISTINCT v.round, v.a, v.b FROM spans_slices v) AS pairs
    UNION ALL
    SELECT coalesce(c.round, 0), 0, 0, array_agg(DISTINCT r.rater)
    FROM spans_compared c
    CROSS JOIN LATERAL unnest(c.raters) AS r(rater)
    GROUP BY GROUPING SETS ((c.round), ())
    HAVING count(*) > 0
  ) AS listed
  WHERE round = 0 OR (SELECT count(DISTINCT round) FROM spans_compared) > 1
),

-- The continuum of each group and category: the texts of the items that all of the group submitted, one after the other
-- by round and place in the batch. `before`: code points of the texts that stand before this one.
spans_continua AS (
  SELECT
    k.category, g.round, g.a, g.b, c.unit, c.length,
    sum(c.length) OVER (PARTITION BY k.category, g.round, g.a, g.b ORDER BY c.round, c.rank) - c.length AS before
  FROM spans_groups g
  JOIN spans_compared c ON c.raters @> g.raters AND g.round IN (0, c.round)
  JOIN spans_known k ON k.codebook = c.codebook
),

-- The length of each continuum in code points, and the items in it.
spans_sizes AS (
  SELECT t.category, t.round, t.a, t.b, g.raters, cardinality(g.raters) AS m, count(*) AS n_items, sum(t.length) AS length
  FROM spans_continua t
  JOIN spans_groups g USING (round, a, b)
  GROUP BY t.category, t.round, t.a, t.b, g.raters
),

-- How often each length occurs among the units of a continuum, and among the gaps between them, of the whole group.
spans_sections AS (
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
),

-- Expected disagreement of a category: over everything that the group's N units of length l could coincide with,
--   (2 / L) sum_units [ (N - 1) / 3 (2 l^3 - 3 l^2 + l) + l^2 sum_{gaps >= l} (gap - l + 1) ]
--     / (m L (m L - 1) - sum_units l (l - 1)).
spans_expected AS (
  SELECT
    category, round, a, b,
    sum(n) AS n,
    2 * sum(f.n * ((f.units - 1) * (2 * f.l ^ 3 - 3 * f.l ^ 2 + f.l) / 3 + f.l ^ 2 * (f.room - (f.l - 1) * f.gaps)))
      / (z.length * (z.m * z.length * (z.m * z.length - 1) - sum(f.n * f.l * (f.l - 1)))) AS disagreement
  FROM (
    SELECT
      category, round, a, b, is_gap, n, length::numeric AS l,
      sum(n) FILTER (WHERE NOT is_gap) OVER (PARTITION BY category, round, a, b) AS units,
      coalesce(sum(n) FILTER (WHERE is_gap) OVER longer, 0) AS gaps,
      coalesce(sum(n * length) FILTER (WHERE is_gap) OVER longer, 0) AS room
    FROM spans_sections
    WINDOW longer AS (PARTITION BY category, round, a, b ORDER BY length DESC)
  ) AS f
  JOIN spans_sizes z USING (category, round, a, b)
  WHERE NOT f.is_gap
  GROUP BY category, round, a, b, z.length, z.m
),

-- Observed disagreement of a category: the squared differences of all ordered pairs of the group, over m (m - 1) L^2.
spans_observed AS (
  SELECT t.category, t.round, t.a, t.b, 2 * sum(d.difference) / (z.m * (z.m - 1) * z.length * z.length) AS disagreement
  FROM spans_continua t
  JOIN spans_sizes z USING (category, round, a, b)
  JOIN spans_differences d ON d.unit = t.unit AND d.category = t.category AND d.a = ANY(z.raters) AND d.b = ANY(z.raters)
  GROUP BY t.category, t.round, t.a, t.b, z.m, z.length
),

-- How many spans fewer there are in a continuum once overlapping ones are merged.
spans_joined AS (
  SELECT t.category, t.round, t.a, t.b, sum(m.n - 1) AS n_merged
  FROM spans_continua t
  JOIN spans_groups g USING (round, a, b)
  JOIN spans_merged m ON m.unit = t.unit AND m.category = t.category AND m.rater = ANY(g.raters)
  GROUP BY t.category, t.round, t.a, t.b
),

-- Krippendorff's alpha for unitizing, alpha_u, in the form of Krippendorff 1995 and of Content Analysis, 2nd ed. (2004),
-- 11.6: 1 - observed / expected disagreement; over all categories 1 - sum of observed / sum of expected, where these
-- stand on the same continuum. It takes any number of people; its authors revised it for more than two (Krippendorff et
-- al. 2016), which is another coefficient. `n` units, `n_merged` spans fewer than were marked, `length` code points.
spans_alpha_u AS (
  SELECT
    category, r.round, a, b, 'alpha_u' AS statistic, n, n_merged, n_items, length,
    CASE WHEN reason IS NULL THEN (1 - observed / expected)::float8 END AS value,
    reason
  FROM (
    SELECT
      coalesce(z.category, 0) AS category, z.round, z.a, z.b,
      coalesce(sum(e.n), 0) AS n, coalesce(sum(j.n_merged), 0) AS n_merged,
      max(z.n_items) AS n_items, max(z.length) AS length,
      coalesce(sum(o.disagreement), 0) AS observed, sum(e.disagreement) AS expected,
      CASE
        WHEN min(z.length) < max(z.length) THEN 'given by category: not every item''s codebook has them all'
        WHEN sum(e.n) IS NULL THEN CASE WHEN z.a = 0 THEN 'nobody marked it' ELSE 'neither marked it' END
        WHEN sum(e.disagreement) = 0 THEN 'no variation: no other place for what is marked'
      END AS reason
    FROM spans_sizes z
    LEFT JOIN spans_expected e USING (category, round, a, b)
    LEFT JOIN spans_observed o USING (category, round, a, b)
    LEFT JOIN spans_joined j USING (category, round, a, b)
    GROUP BY GROUPING SETS ((z.category, z.round, z.a, z.b), (z.round, z.a, z.b))
  ) AS parts
  CROSS JOIN LATERAL (
    SELECT parts.round
    UNION ALL
    SELECT min(c.round) FROM spans_compared c WHERE parts.round = 0 HAVING count(DISTINCT c.round) = 1
  ) AS r(round)
)
