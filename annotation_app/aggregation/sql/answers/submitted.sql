-- The annotations that count, in the rounds' batches or in the batches that are named, of whatever kind.
submitted AS (
  SELECT batch_item AS unit, batch, rater, annotation
  FROM rules.rated_annotation
  WHERE project = %(project)s AND rules.is_selected(kind, batch, %(batches)s)
)
