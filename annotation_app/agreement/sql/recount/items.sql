WITH
-- Deletes from the queue what this statement counts again. A change that comes later is queued anew.
take_queued AS (
  DELETE FROM annotation_app_foldqueue q
  USING (
    SELECT DISTINCT n.batch_item
    FROM annotation_app_foldqueue n
    JOIN annotation_app_batch b ON b.id = n.batch
    WHERE b.project_id = %(project)s
    ORDER BY n.batch_item
    LIMIT %(at_once)s
  ) AS taken
  WHERE q.batch_item = taken.batch_item
  RETURNING q.batch_item, q.batch
),

selected_items AS (
  SELECT DISTINCT batch_item AS unit, batch FROM take_queued
),

-- As in `aggregation/sql/answers/selected.sql`, of few items: each is looked up by index. OFFSET keeps the planner from
-- starting at the other end. `submitted` (`answers/submitted.sql`) follows from it.
assigned AS (
  SELECT q.unit, q.batch, a.annotator_id, a.state, a.current_id
  FROM selected_items q
  CROSS JOIN LATERAL (
    SELECT * FROM annotation_app_assignment s WHERE s.batch_item_id = q.unit OFFSET 0
  ) AS a
),

-- As in `answers/independent.sql`, of few annotations: each is looked up by index. `current_patterns` follows from
-- it.
votes AS (
  SELECT s.unit, s.batch, s.rater, x.stage, x.label
  FROM submitted s
  CROSS JOIN LATERAL (
    SELECT y.stage, y.label FROM annotation_app_answer y WHERE y.annotation_id = s.annotation OFFSET 0
  ) AS x
),

-- The patterns in which the queued items were counted until now.
previous_patterns AS (
  SELECT p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.majorities
  FROM selected_items q
  JOIN annotation_app_foldeditem o ON o.batch_item = q.unit
  CROSS JOIN LATERAL unnest(o.patterns) AS k(key)
  JOIN annotation_app_answerpattern p ON p.key = k.key
),

-- Adds the items to their current patterns, and takes them out of the previous ones.
update_patterns AS (
  INSERT INTO annotation_app_answerpattern AS p (key, batch_id, stage, raters, labels, majorities, n)
  SELECT key, batch, stage, raters, labels, majorities, sum(change)
  FROM (
    SELECT key, batch, stage, raters, labels, majorities, 1 AS change FROM current_patterns
    UNION ALL
    SELECT key, batch, stage, raters, labels, majorities, -1 FROM previous_patterns
  ) AS changes
  GROUP BY key, batch, stage, raters, labels, majorities
  HAVING sum(change) <> 0
  ON CONFLICT (key) DO UPDATE SET n = p.n + excluded.n
  RETURNING key
),

-- Stores in which patterns each item is counted now, also where there are none.
store_counted_items AS (
  INSERT INTO annotation_app_foldeditem (batch_item, patterns)
  SELECT unit, coalesce(array_agg(key) FILTER (WHERE key IS NOT NULL), '{}')
  FROM (SELECT unit, key FROM current_patterns UNION ALL SELECT unit, NULL FROM selected_items) AS keys
  GROUP BY unit
  ON CONFLICT (batch_item) DO UPDATE SET patterns = excluded.patterns
  RETURNING batch_item
),

-- Rows that were cached from other counts are stale from here on.
raise_version AS (
  INSERT INTO annotation_app_agreementstate AS s (project_id, version)
  SELECT %(project)s, 1 WHERE EXISTS (SELECT FROM update_patterns)
  ON CONFLICT (project_id) DO UPDATE SET version = s.version + 1
  RETURNING version
)

-- How many items were counted again.
SELECT count(*) FROM selected_items
