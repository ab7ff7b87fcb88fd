-- The answers to an item at a stage, as two arrays side by side.
stage_answers AS (
  SELECT unit, batch, stage, array_agg(rater) AS raters, array_agg(label) AS labels
  FROM votes
  GROUP BY unit, batch, stage
),

-- The stages of the project that are answered with sets.
set_stages AS MATERIALIZED (
  SELECT s.codebook, s.stage
  FROM rules.set_stage s
  JOIN annotation_app_codebookversion c ON c.id = s.codebook
  WHERE c.project_id = %(project)s
),

-- The verdict on identical answers, found once for all items that got them.
verdicts AS (
  SELECT d.batch, d.stage, d.labels, c.votes, c.majority
  FROM (SELECT DISTINCT batch, stage, labels FROM stage_answers) AS d
  JOIN annotation_app_batch b ON b.id = d.batch
  LEFT JOIN set_stages s ON s.codebook = b.codebook_id AND s.stage = d.stage
  CROSS JOIN LATERAL rules.verdict(d.labels, b.annotators_per_item, s.stage IS NOT NULL) AS c
  -- Keeps the counting here: moved into a join it would be done again for every item.
  OFFSET 0
),

-- One row for each item in a batch that has an answer: {stage: majority label} and {stage: {label: n}}. Which of the
-- stages are open for these majorities is the codebook's rule, not this one's.
item_majorities AS (
  SELECT
    f.unit,
    coalesce(jsonb_object_agg(f.stage, v.majority) FILTER (WHERE v.majority IS NOT NULL), '{}') AS majorities,
    jsonb_object_agg(f.stage, v.votes) AS votes
  FROM stage_answers f
  JOIN verdicts v ON v.batch = f.batch AND v.stage = f.stage AND v.labels = f.labels
  GROUP BY f.unit
)
