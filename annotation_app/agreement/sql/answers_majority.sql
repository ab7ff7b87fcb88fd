-- Every answer to an item at a stage where the item reached a majority, the minority's answers included.
SELECT v.unit, v.batch, v.rater, v.stage, v.label FROM votes v JOIN settled s ON s.unit = v.unit AND s.stage = v.stage
