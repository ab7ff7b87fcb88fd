-- Where the tokens of an item's text start and end, in code points and in order. Python cuts them (`token_bounds`), as
-- PostgreSQL knows no Unicode word boundaries; of the three arrays the elements at one place are one token.
SELECT unit, count(*) AS n, array_agg(low ORDER BY low) AS starts, array_agg(high ORDER BY low) AS ends
FROM unnest(%(token_units)s::int8[], %(token_starts)s::int4[], %(token_ends)s::int4[]) AS t(unit, low, high)
GROUP BY unit
