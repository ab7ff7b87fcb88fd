-- The answers that count: the labels of the annotations that count, stage by stage.
CREATE VIEW rules.rated_answer AS
SELECT r.*, x.stage, x.label
FROM rules.rated_annotation r
JOIN annotation_app_answer x ON x.annotation_id = r.annotation
