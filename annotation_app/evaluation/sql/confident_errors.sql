-- The most confident errors from each gold label to each predicted one (OP-FED, Table 13).
WITH ranked AS (
  SELECT
    id, gold, label, is_unanimous, cause, confidence,
    row_number() OVER (PARTITION BY gold, label ORDER BY confidence DESC NULLS LAST, id) AS rank
  FROM filtered
  WHERE label IS NOT NULL
)
SELECT id, gold, is_unanimous, cause
FROM ranked
WHERE rank <= %(k)s
ORDER BY gold, label, rank
