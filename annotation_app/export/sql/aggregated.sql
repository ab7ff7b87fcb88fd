-- Every item of the rounds' batches with what its annotators made of it, in the order of the text.
SELECT
  item.external_id, item.text, item.number, item.start, item."end", item.utterance_id,
  u.speaker, d.external_id, d.title, u.external_id, u.position,
  b.number, b.codebook_id, i.score, i.rank,
  coalesce(y.majorities, '{}')::text, coalesce(y.votes, '{}')::text
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN annotation_app_utterance u ON u.id = item.utterance_id
JOIN annotation_app_document d ON d.id = item.document_id
LEFT JOIN by_unit y ON y.unit = i.id
WHERE b.project_id = %(project)s AND b.kind = 'round'
ORDER BY item.document_id, u.position, item.start, b.number
