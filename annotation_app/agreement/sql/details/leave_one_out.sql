-- Each rater against the majority of the others (`others_majority.sql`), over the items that they answered and where
-- the others have a majority that is not ambiguous. An ambiguous answer of their own is wrong. `collapsed` is as in
-- `against_majority.sql`.
SELECT
  rater, n, n_right, n_right::float8 / nullif(n, 0) AS accuracy, n_collapsed,
  n_collapsed::float8 / nullif(n, 0) AS collapsed, 0 AS n_circular,
  CASE
    WHEN n > 0 THEN ''
    WHEN n_shared = 0 THEN 'nobody else answered these items'
    ELSE 'on no item do the others have a majority that is not ambiguous'
  END AS reason
FROM (
  SELECT
    rater,
    coalesce(sum(n) FILTER (WHERE is_shared), 0)::bigint AS n_shared,
    coalesce(sum(n) FILTER (WHERE is_voted), 0)::bigint AS n,
    coalesce(sum(n) FILTER (WHERE is_voted AND label = others), 0)::bigint AS n_right,
    CASE
      WHEN %(lowest)s::text IS NOT NULL
      THEN coalesce(
        sum(n) FILTER (
          WHERE is_voted AND (label = %(lowest)s) = (others = %(lowest)s) AND label <> ALL(%(ambiguous)s::text[])
        ),
        0
      )::bigint
    END AS n_collapsed
  FROM (
    SELECT *, others IS NOT NULL AND others <> ALL(%(ambiguous)s::text[]) AS is_voted FROM others_majority
  ) AS marked
  WHERE %(round)s = 0 OR round = %(round)s
  GROUP BY rater
) AS counted
ORDER BY rater
