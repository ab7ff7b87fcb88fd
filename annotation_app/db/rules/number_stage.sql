-- The stages that are answered with numbers, points of a scale among them, of each version of a codebook.
CREATE VIEW rules.number_stage AS
SELECT c.id AS codebook, s.stage ->> 'key' AS stage
FROM annotation_app_codebookversion c
CROSS JOIN LATERAL jsonb_path_query(c.definition, '$.stages[*] ? (@.type == "scale" || @.type == "number")') AS s(stage)
