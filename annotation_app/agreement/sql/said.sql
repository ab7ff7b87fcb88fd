-- On how many items each rater gave a label, by stage and round. Round 0 is all rounds together.
SELECT stage, round, a AS rater, labels[1] AS label, n FROM margins WHERE a > 0 AND b = 0
