-- (item, stage) pairs with a majority at an open stage. `settled` is what the gate rule said of each profile:
-- [{codebook, majorities, stages}, ...].
SELECT p.unit, s.stage
FROM profiles p
JOIN jsonb_to_recordset(%(settled)s::jsonb) AS r(codebook bigint, majorities jsonb, stages jsonb)
  ON r.codebook = p.codebook AND r.majorities = p.majorities
CROSS JOIN LATERAL jsonb_array_elements_text(r.stages) AS s(stage)
