-- The categories that each version of the codebook has, by number from 1: 0 stands for all of them.
SELECT codebook, category, key
FROM jsonb_to_recordset(%(categories)s::jsonb) AS k(codebook bigint, category int, key text)
