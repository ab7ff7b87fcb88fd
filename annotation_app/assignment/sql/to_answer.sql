-- What a person still has to answer: in hand, or open where the item has a slot to give.
to_answer AS (
  SELECT a.id, a.annotator_id, a.batch_item_id
  FROM annotation_app_assignment a
  JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
  JOIN annotation_app_batch b ON b.id = i.batch_id
  WHERE b.id = %(batch)s AND (a.state = 'claimed' OR a.state = 'open' AND b.annotators_per_item > (
      SELECT count(*) FROM annotation_app_assignment taken WHERE taken.batch_item_id = i.id AND taken.slot IS NOT NULL
  ))
)
