SELECT id, annotator_id FROM to_answer
