-- How far into its document an item stands, in tenths of the document's sentences, those that left the pool included;
-- beside what it came to. A document with fewer than ten sentences has no tenths: null. An item that is a whole
-- utterance stands where its utterance begins.
SELECT
  b.codebook_id,
  y.majorities::text,
  CASE WHEN p.total >= 10 THEN (10 * (p.before + coalesce(item.number, 1) - 1)) / p.total END AS tenth,
  count(*) AS n
FROM rules.round_batch b
JOIN rules.data_item i ON i.batch_id = b.id
JOIN annotation_app_item item ON item.id = i.item_id
JOIN item_majorities y ON y.unit = i.id
JOIN (
  SELECT
    u.id,
    sum(cardinality(u.sentence_starts)) OVER (PARTITION BY u.document_id) AS total,
    coalesce(sum(cardinality(u.sentence_starts)) OVER earlier, 0) AS before
  FROM annotation_app_utterance u
  WHERE u.document_id IN (
    SELECT item.document_id
    FROM rules.round_batch b
    JOIN rules.data_item i ON i.batch_id = b.id
    JOIN annotation_app_item item ON item.id = i.item_id
    WHERE b.project_id = %(project)s
  )
  WINDOW earlier AS (
    PARTITION BY u.document_id ORDER BY u.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  )
) AS p ON p.id = item.utterance_id
WHERE b.project_id = %(project)s
GROUP BY b.codebook_id, y.majorities, tenth
