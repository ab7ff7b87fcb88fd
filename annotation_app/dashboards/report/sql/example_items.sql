-- Items of the rounds that have a majority somewhere: the three shortest of everything that items came to, the first of
-- each before the seconds. Before them those that are named, whatever they came to. Beside the votes' majorities stands
-- what was decided. `finished`: as many slots are done as the item needs.
SELECT
  p.item, p.round, p.codebook, p.majorities, coalesce(d.labels, '{}')::text AS decided,
  coalesce(g.finished, false) AS finished, p.named
FROM (
  SELECT *
  FROM (
    SELECT
      i.id AS unit, item.id AS item, b.number AS round, b.codebook_id AS codebook,
      coalesce(y.majorities, '{}')::text AS majorities, item.external_id = ANY(%(named)s::text[]) AS named,
      item.external_id, char_length(item.text) AS size,
      row_number() OVER (
        PARTITION BY b.codebook_id, y.majorities ORDER BY char_length(item.text), item.external_id
      ) AS place
    FROM rules.round_batch b
    JOIN rules.data_item i ON i.batch_id = b.id
    JOIN annotation_app_item item ON item.id = i.item_id
    LEFT JOIN item_majorities y ON y.unit = i.id
    WHERE b.project_id = %(project)s
  ) AS placed
  WHERE named OR (place <= 3 AND majorities <> '{}')
  ORDER BY named DESC, place, size, external_id
  LIMIT %(most)s + cardinality(%(named)s::text[])
) AS p
LEFT JOIN decided d ON d.unit = p.unit
LEFT JOIN LATERAL (SELECT q.finished FROM rules.item_progress q WHERE q.batch_item = p.unit OFFSET 0) AS g ON true
ORDER BY p.named DESC, p.place, p.size, p.external_id
