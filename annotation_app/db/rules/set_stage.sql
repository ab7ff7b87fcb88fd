-- The stages that are answered with a set of labels, of each version of a codebook.
CREATE VIEW rules.set_stage AS
SELECT c.id AS codebook, s.stage ->> 'key' AS stage
FROM annotation_app_codebookversion c
CROSS JOIN LATERAL jsonb_path_query(c.definition, '$.stages[*] ? (@.type == "several")') AS s(stage)
