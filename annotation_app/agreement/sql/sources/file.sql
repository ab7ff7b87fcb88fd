-- The patterns of answers that a file brought (`agreement_file`). An item is one item in each round. Annotators and
-- rounds are numbered in the order in which they are named.
patterns AS (
  SELECT stage, round, raters, labels, count(*)::bigint AS n, 0 AS n_circular
  FROM (
    SELECT
      f.stage, r.number::int AS round,
      array_agg(a.number::int ORDER BY a.number) AS raters, array_agg(f.label ORDER BY a.number) AS labels
    FROM agreement_file f
    JOIN unnest(%(annotators)s::text[]) WITH ORDINALITY AS a(name, number) ON a.name = f.annotator
    JOIN unnest(%(round_names)s::text[]) WITH ORDINALITY AS r(name, number) ON r.name = f.round
    GROUP BY f.stage, r.number, f.item
  ) AS folded
  GROUP BY stage, round, raters, labels
)
