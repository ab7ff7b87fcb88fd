-- Stages at which another submitted answer to the item has a different label.
SELECT DISTINCT mine.id, x.stage
FROM annotation_app_assignment mine
JOIN annotation_app_answer x ON x.annotation_id = mine.current_id
JOIN annotation_app_assignment other
  ON other.batch_item_id = mine.batch_item_id AND other.id <> mine.id AND other.state = 'submitted'
JOIN annotation_app_answer y ON y.annotation_id = other.current_id AND y.stage = x.stage AND y.label <> x.label
WHERE mine.id = ANY(%(assignments)s)
