-- Who said what about an item: {stage: {number of the annotator: label}}.
SELECT f.unit, jsonb_object_agg(f.stage, jsonb_object(f.raters::text[], f.labels::text[])) AS said
FROM folded f
GROUP BY f.unit
