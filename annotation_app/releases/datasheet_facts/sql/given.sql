-- One row: the items of the rounds' batches, which are what a release holds. Sizes in characters. `repeated` are items
-- whose text is also another's. A document's date is what its import gave, where it begins as ISO 8601 has it.
WITH given AS (
  SELECT
    i.id, i.number, i.document_id, u.speaker, char_length(i.text) AS size, count(*) OVER (PARTITION BY md5(i.text)) AS alike,
    i.utterance_id
  FROM annotation_app_item i
  JOIN annotation_app_utterance u ON u.id = i.utterance_id
  WHERE i.id IN (
    SELECT p.item_id
    FROM rules.round_batch b JOIN rules.data_item p ON p.batch_id = b.id
    WHERE b.project_id = %(project)s
  )
), dates AS (
  SELECT substring(d.meta ->> 'date' FROM '^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?(?![0-9A-Za-z/.-])') AS day
  FROM annotation_app_document d
  WHERE d.id IN (SELECT document_id FROM given)
)
SELECT
  count(*) AS items,
  count(*) FILTER (WHERE number IS NOT NULL) AS sentences,
  count(DISTINCT document_id) AS documents,
  count(DISTINCT utterance_id) AS utterances,
  count(DISTINCT speaker) FILTER (WHERE speaker <> '') AS speakers,
  count(*) FILTER (WHERE speaker <> '') AS with_speaker,
  count(*) FILTER (WHERE alike > 1) AS repeated,
  min(size) AS shortest, percentile_disc(0.5) WITHIN GROUP (ORDER BY size) AS middle, max(size) AS longest,
  (SELECT count(DISTINCT l.item_id) FROM annotation_app_itemsource l WHERE l.item_id IN (SELECT id FROM given)) AS with_sources,
  (SELECT count(*) FROM annotation_app_importedspans k WHERE k.item_id IN (SELECT id FROM given)) AS with_marks,
  (SELECT count(day) FROM dates) AS dated,
  (SELECT min(day) FROM dates) AS first_day,
  (SELECT max(day) FROM dates) AS last_day
FROM given
