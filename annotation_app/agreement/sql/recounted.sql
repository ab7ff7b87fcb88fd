INSERT INTO annotation_app_answerpattern AS p (key, batch_id, stage, raters, labels, majorities, n)
SELECT key, batch, stage, raters, labels, majorities, sum(change)
FROM (
  SELECT key, batch, stage, raters, labels, majorities, 1 AS change FROM fresh
  UNION ALL
  SELECT key, batch, stage, raters, labels, majorities, -1 FROM counted_before
) AS changes
GROUP BY key, batch, stage, raters, labels, majorities
HAVING sum(change) <> 0
ON CONFLICT (key) DO UPDATE SET n = p.n + excluded.n
RETURNING key
