WITH
-- The patterns whose count has changed since it was applied to the label combinations, and by how much. `settled` and circular items
-- are those of `scope/majority.sql`.
patterns AS (
  SELECT
    p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.n - p.n_applied AS n,
    s.is_settled, s.is_settled AND cardinality(p.labels) = rules.majority_takes(b.annotators_per_item) AS is_circular
  FROM annotation_app_answerpattern p
  JOIN annotation_app_batch b ON b.id = p.batch_id
  CROSS JOIN LATERAL (
    SELECT coalesce(%(settled)s::jsonb -> concat_ws(' ', b.codebook_id, p.majorities) ? p.stage, false) AS is_settled
  ) AS s
  WHERE p.batch_id = ANY(ARRAY(SELECT id FROM annotation_app_batch WHERE project_id = %(project)s)) AND p.n <> p.n_applied
  LIMIT %(at_once)s
),

-- Adds the changes to the combinations of each pattern (`expanded`).
add_to_combinations AS (
  INSERT INTO annotation_app_labelcombination AS k (key, batch_id, stage, a, b, labels, n, n_settled, n_circular)
  SELECT
    md5(concat_ws(' ', batch, stage, a, b, given::text))::uuid,
    batch, stage, a, b, given, sum(n),
    coalesce(sum(n) FILTER (WHERE is_settled), 0), coalesce(sum(n) FILTER (WHERE is_circular), 0)
  FROM expanded
  GROUP BY batch, stage, a, b, given
  HAVING sum(n) <> 0 OR sum(n) FILTER (WHERE is_settled) <> 0 OR sum(n) FILTER (WHERE is_circular) <> 0
  ON CONFLICT (key) DO UPDATE
  SET n = k.n + excluded.n, n_settled = k.n_settled + excluded.n_settled, n_circular = k.n_circular + excluded.n_circular
  RETURNING key
),

-- Notes up to which count each pattern is in the combinations.
mark_added AS (
  UPDATE annotation_app_answerpattern p SET n_applied = p.n_applied + c.n FROM patterns c WHERE p.key = c.key RETURNING p.key
)

-- How many patterns were added.
SELECT count(*) FROM patterns
