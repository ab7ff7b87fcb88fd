-- The continuum of each group and category: the texts of the items that all of the group submitted, one after the other
-- by round and place in the batch. `before`: code points of the texts that stand before this one.
SELECT
  k.category, g.round, g.a, g.b, c.unit, c.length,
  sum(c.length) OVER (PARTITION BY k.category, g.round, g.a, g.b ORDER BY c.round, c.rank) - c.length AS before
FROM spans_groups g
JOIN spans_compared c ON c.raters @> g.raters AND g.round IN (0, c.round)
JOIN spans_known k ON k.codebook = c.codebook
