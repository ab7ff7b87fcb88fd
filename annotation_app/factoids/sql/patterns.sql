-- The patterns of a set's answers, as `agreement/sql` counts them. A stage is the id of an annotation phase, or that of
-- a pairing; and `ID RELATION` for the items of one relation of a pairing.
patterns AS (
  SELECT stage, 1 AS round, raters, labels, count(*) AS n, 0 AS n_circular
  FROM (
    SELECT
      stage, a, b, text,
      array_agg(rater ORDER BY rater) AS raters, array_agg(is_there::text ORDER BY rater) AS labels
    FROM (
      SELECT 'phase ' || phase AS stage, a, b, text, rater, is_there FROM annotation_answers
      UNION ALL
      SELECT v.stage, d.a, d.b, d.text, d.rater, d.is_there
      FROM definition_answers d
      CROSS JOIN LATERAL (VALUES ('pairing ' || d.pairing), ('pairing ' || d.pairing || ' ' || d.relation)) AS v(stage)
    ) AS answers
    GROUP BY stage, a, b, text
  ) AS items
  GROUP BY stage, raters, labels
)
