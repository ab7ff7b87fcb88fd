-- How far each item of a batch is, check items too: whoever answers is asked for all of them. An item needs as many done
-- slots as its batch gives it, or as people are left for it. Skipped counts as done, surplus does not. A `complete` item
-- waits for nobody; a `finished` one also has an answer or a skip. An item that was given to nobody is neither. Each item
-- is looked up by index.
CREATE VIEW rules.handed_item AS
SELECT
  i.id AS batch_item, i.item_id AS item, i.rank, i.is_check,
  b.id AS batch, b.kind, b.number, b.project_id AS project, b.codebook_id AS codebook,
  p.answered, p.done, p.surplus, p.needed,
  p.given > 0 AND p.done >= p.needed AS complete,
  p.done >= p.needed AND p.done > 0 AS finished
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
CROSS JOIN LATERAL (
  SELECT
    count(*) AS given,
    count(a.current_id) AS answered,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
    count(*) FILTER (WHERE a.state = 'surplus') AS surplus,
    least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn')) AS needed
  FROM annotation_app_assignment a
  WHERE a.batch_item_id = i.id
) AS p
