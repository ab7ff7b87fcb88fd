-- Items of the rounds that have a majority somewhere: the three shortest of everything that items came to, the first of
-- each before the seconds. Before them those that are named, whatever they came to. Beside the votes' majorities stands
-- what was decided. `finished`: as many slots are done as the item needs.
SELECT
  p.item, p.round, p.codebook, p.majorities, coalesce(d.labels, '{}')::text AS decided,
  c.done > 0 AND c.done >= least(p.slots, c.there) AS finished, p.named
FROM (
  SELECT *
  FROM (
    SELECT
      i.id AS unit, item.id AS item, b.number AS round, b.codebook_id AS codebook, b.annotators_per_item AS slots,
      coalesce(y.majorities, '{}')::text AS majorities, item.external_id = ANY(%(named)s::text[]) AS named,
      item.external_id, char_length(item.text) AS size,
      row_number() OVER (
        PARTITION BY b.codebook_id, y.majorities ORDER BY char_length(item.text), item.external_id
      ) AS place
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_item item ON item.id = i.item_id
    LEFT JOIN item_majorities y ON y.unit = i.id
    WHERE b.project_id = %(project)s AND b.kind = 'round'
  ) AS placed
  WHERE named OR (place <= 3 AND majorities <> '{}')
  ORDER BY named DESC, place, size, external_id
  LIMIT %(most)s + cardinality(%(named)s::text[])
) AS p
LEFT JOIN decided d ON d.unit = p.unit
CROSS JOIN LATERAL (
  SELECT
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
    count(*) FILTER (WHERE a.state <> 'withdrawn') AS there
  FROM annotation_app_assignment a WHERE a.batch_item_id = p.unit
) AS c
ORDER BY p.named DESC, p.place, p.size, p.external_id
