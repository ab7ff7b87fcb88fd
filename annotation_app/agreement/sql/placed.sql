INSERT INTO annotation_app_foldeditem (batch_item, patterns)
SELECT unit, coalesce(array_agg(key) FILTER (WHERE key IS NOT NULL), '{}')
FROM (SELECT unit, key FROM fresh UNION ALL SELECT unit, NULL FROM asked) AS keys
GROUP BY unit
ON CONFLICT (batch_item) DO UPDATE SET patterns = excluded.patterns
RETURNING batch_item
