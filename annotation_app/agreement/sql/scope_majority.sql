-- Items at a stage that is open for them and where they reached a majority; the minority's answers are kept. `settled`
-- is what the gate rule said of each profile: {"<codebook> <majorities>": [stage, ...]}.
SELECT f.batch, f.stage, f.raters, f.labels
FROM folded f
JOIN (
  SELECT unit, %(settled)s::jsonb -> concat_ws(' ', codebook, majorities) AS stages FROM profiles OFFSET 0
) AS p ON p.unit = f.unit
WHERE p.stages ? f.stage
