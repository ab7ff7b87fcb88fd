-- The answers to an item at a stage, as two arrays side by side in the order of the raters' numbers.
stage_answers AS (
  SELECT unit, batch, stage, array_agg(rater ORDER BY rater) AS raters, array_agg(label ORDER BY rater) AS labels
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

-- The patterns that the answers have now. The verdict is found for each row, so that a recount joins nothing but tables
-- by their indexes.
current_patterns AS (
  SELECT
    unit, batch, stage, raters, labels, majorities,
    md5(concat_ws(' ', batch, stage, raters::text, labels::text, majorities))::uuid AS key
  FROM (
    SELECT
      f.unit, f.batch, f.stage, f.raters, f.labels,
      coalesce(
        (jsonb_object_agg(f.stage, v.majority) FILTER (WHERE v.majority IS NOT NULL) OVER (PARTITION BY f.unit))::text,
        '{}'
      ) AS majorities
    FROM stage_answers f
    JOIN annotation_app_batch b ON b.id = f.batch
    LEFT JOIN set_stages s ON s.codebook = b.codebook_id AND s.stage = f.stage
    CROSS JOIN LATERAL rules.verdict(f.labels, b.annotators_per_item, s.stage IS NOT NULL) AS v
  ) AS profiled
)
