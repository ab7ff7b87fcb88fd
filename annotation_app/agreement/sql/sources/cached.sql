-- The stored patterns of the rounds' batches, or of the batches that are named, of whatever kind; of all stages, or
-- of one. `majority_takes` is the least number of equal answers that are a majority.
selected_patterns AS (
  SELECT p.stage, b.number AS round, b.codebook_id AS codebook, p.majorities, p.raters, p.labels, p.n,
    rules.majority_takes(b.annotators_per_item) AS majority_takes
  FROM annotation_app_answerpattern p
  JOIN annotation_app_batch b ON b.id = p.batch_id
  WHERE b.project_id = %(project)s AND p.n > 0 AND (%(stage)s::text IS NULL OR p.stage = %(stage)s)
    AND rules.is_selected(b.kind, b.id, %(batches)s)
),

-- The majorities of each item that has an answer: all patterns in which an item is counted carry them.
item_majorities AS (
  SELECT i.id AS unit, p.majorities
  FROM rules.round_batch b
  JOIN rules.data_item i ON i.batch_id = b.id
  JOIN annotation_app_counteditem f ON f.batch_item = i.id
  JOIN annotation_app_answerpattern p ON p.key = f.patterns[1]
  WHERE b.project_id = %(project)s
)
