INSERT INTO annotation_app_answerbag AS k (key, batch_id, stage, a, b, labels, n, n_settled, n_circular)
SELECT
  md5(concat_ws(' ', batch, stage, a, b, given::text))::uuid,
  batch, stage, a, b, given, sum(n),
  coalesce(sum(n) FILTER (WHERE is_settled), 0), coalesce(sum(n) FILTER (WHERE is_circular), 0)
FROM expanded
GROUP BY batch, stage, a, b, given
HAVING sum(n) <> 0 OR sum(n) FILTER (WHERE is_settled) <> 0 OR sum(n) FILTER (WHERE is_circular) <> 0
ON CONFLICT (key) DO UPDATE
SET n = k.n + excluded.n, n_settled = k.n_settled + excluded.n_settled, n_circular = k.n_circular + excluded.n_circular
RETURNING key
