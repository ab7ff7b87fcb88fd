-- The patterns that the queued items have now.
SELECT
  unit, batch, stage, raters, labels, majorities,
  md5(concat_ws(' ', batch, stage, raters::text, labels::text, majorities))::uuid AS key
FROM (
  SELECT f.unit, f.batch, f.stage, f.raters, f.labels, coalesce(p.majorities::text, '{}') AS majorities
  FROM folded f
  LEFT JOIN profiles p ON p.unit = f.unit
) AS joined
