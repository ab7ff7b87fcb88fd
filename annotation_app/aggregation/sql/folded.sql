-- Who said what about an item at a stage, as two arrays side by side.
SELECT unit, batch, stage, array_agg(rater) AS raters, array_agg(label) AS labels
FROM votes
GROUP BY unit, batch, stage
