-- A page of predictions, the most confident first.
SELECT id, gold, is_unanimous, cause
FROM filtered
ORDER BY confidence DESC NULLS LAST, id
LIMIT %(limit)s OFFSET %(offset)s
