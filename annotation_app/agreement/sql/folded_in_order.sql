-- Who said what about an item at a stage, as two arrays side by side, in the order of the people's numbers.
SELECT unit, batch, stage, array_agg(rater ORDER BY rater) AS raters, array_agg(label ORDER BY rater) AS labels
FROM votes
GROUP BY unit, batch, stage
