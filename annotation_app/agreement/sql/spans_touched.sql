-- The tokens that a person's spans of a category touch, by their number from 0. width_bucket counts, by halving, how
-- many of the ordered numbers are at most the one given: the tokens that end before the span, those that start in time.
SELECT unit, rater, category, tokens, (SELECT sum(upper(r) - lower(r)) FROM unnest(tokens) AS r) AS n
FROM (
  SELECT
    r.unit, r.rater, r.category,
    range_agg(int4range(width_bucket(r.low, t.ends), width_bucket(r.high - 1, t.starts))) AS tokens
  FROM spans_ranges r
  JOIN spans_tokens t ON t.unit = r.unit
  GROUP BY r.unit, r.rater, r.category
) AS folded
