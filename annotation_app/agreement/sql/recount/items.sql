WITH
-- Deletes from the queue what this statement counts again. A change that comes later is queued anew.
take_queued AS (
  DELETE FROM annotation_app_recountqueue q
  USING (
    SELECT DISTINCT n.batch_item
    FROM annotation_app_recountqueue n
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

-- The answers of these items that count. Each is looked up by index: OFFSET keeps the planner from starting at the other
-- end. `current_patterns` follows from it.
votes AS (
  SELECT q.unit, q.batch, r.rater, r.stage, r.label
  FROM selected_items q
  CROSS JOIN LATERAL (
    SELECT s.rater, s.stage, s.label FROM rules.rated_answer s WHERE s.batch_item = q.unit OFFSET 0
  ) AS r
),

-- The patterns in which the queued items were counted until now.
previous_patterns AS (
  SELECT p.key, p.batch_id AS batch, p.stage, p.raters, p.labels, p.majorities
  FROM selected_items q
  JOIN annotation_app_counteditem o ON o.batch_item = q.unit
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
  INSERT INTO annotation_app_counteditem (batch_item, patterns)
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
