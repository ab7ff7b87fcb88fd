-- Items on which people who answered the same stage disagree, with everyone who gave one of these answers: each of
-- them differs from somebody.
differing AS (
  SELECT f.unit, f.batch, array_agg(DISTINCT r.rater ORDER BY r.rater) AS raters
  FROM stage_answers f
  CROSS JOIN LATERAL unnest(f.raters) AS r(rater)
  WHERE (SELECT count(DISTINCT l.label) FROM unnest(f.labels) AS l(label)) > 1
  GROUP BY f.unit, f.batch
)
