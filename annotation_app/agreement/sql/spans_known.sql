-- The categories that each version of the codebook has.
SELECT codebook, category
FROM jsonb_to_recordset(%(categories)s::jsonb) AS k(codebook bigint, category text)
