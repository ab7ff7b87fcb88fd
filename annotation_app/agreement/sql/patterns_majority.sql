-- As patterns_all, of items at a stage that is open for them and where they reached a majority; the minority's answers
-- are kept. `settled` is what the gate rule said of each profile: {"<codebook> <majorities>": [stage, ...]}.
SELECT stage, round, raters, labels, sum(n)::bigint AS n
FROM chosen
WHERE %(settled)s::jsonb -> concat_ws(' ', codebook, majorities) ? stage
GROUP BY stage, round, raters, labels
