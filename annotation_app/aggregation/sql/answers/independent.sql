-- The answers that count, in the rounds' batches or in the batches that are named, of whatever kind.
votes AS (
  SELECT batch_item AS unit, batch, rater, stage, label
  FROM rules.rated_answer
  WHERE project = %(project)s AND rules.is_selected(kind, batch, %(batches)s)
)
