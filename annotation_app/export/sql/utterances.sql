-- All that is said in the documents of the exported items, in order: the context reaches back over any of it.
SELECT u.id, u.document_id, u.speaker, u.text, u.n_tokens, u.sentence_starts, u.sentence_ends
FROM annotation_app_utterance u
WHERE u.document_id IN (
  SELECT item.document_id
  FROM rules.round_batch b
  JOIN rules.data_item i ON i.batch_id = b.id
  JOIN annotation_app_item item ON item.id = i.item_id
  WHERE b.project_id = %(project)s
)
ORDER BY u.document_id, u.position
