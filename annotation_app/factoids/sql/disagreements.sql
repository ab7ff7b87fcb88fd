-- The items on which people differ: of an annotation phase, or of one pairing of a definition.
WITH answers AS (
  SELECT a, b, text, rater, is_there FROM annotation_answers WHERE phase = %(factoid_phase)s
  UNION ALL
  SELECT a, b, text, rater, is_there FROM definition_answers WHERE pairing = %(pairing)s
)
SELECT t.external_id, t.position, i.a, i.b, i.raters, i.is_there
FROM (
  SELECT a, b, text, array_agg(rater ORDER BY rater) AS raters, array_agg(is_there ORDER BY rater) AS is_there
  FROM answers
  GROUP BY a, b, text
  HAVING bool_or(is_there) AND NOT bool_and(is_there)
) AS i
JOIN annotation_app_settext t ON t.id = i.text
