-- Items by the hundred thousand have a few hundred different profiles: few enough to ask the codebook's gate rule.
SELECT DISTINCT codebook, majorities FROM selected_patterns
