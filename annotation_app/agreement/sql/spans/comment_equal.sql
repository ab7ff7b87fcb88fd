-- Exactly matched spans whose comments are equal, as a share of those with a comment on one side or both (`n`); matched
-- spans without any comment are counted apart (`n_uncommented`).
spans_comment_equal AS (
  SELECT
    v.category, v.round, v.a, v.b, 'comment_equal' AS statistic,
    coalesce(c.n_commented, 0) AS n,
    coalesce(c.n_matched, 0) AS n_matched,
    coalesce(c.n_matched - c.n_commented, 0) AS n_uncommented,
    c.n_equal::float8 / nullif(c.n_commented, 0)::float8 AS value,
    CASE
      WHEN coalesce(c.n_matched, 0) = 0 THEN 'no spans that match exactly'
      WHEN c.n_commented = 0 THEN 'no comments on the spans that match exactly'
    END AS reason
  FROM spans_slices v
  LEFT JOIN (
    SELECT
      coalesce(category, 0) AS category, coalesce(round, 0) AS round, a, b,
      count(*) AS n_matched,
      count(*) FILTER (WHERE comment_a <> '' OR comment_b <> '') AS n_commented,
      count(*) FILTER (WHERE comment_a = comment_b AND comment_a <> '') AS n_equal
    FROM spans_comments
    GROUP BY GROUPING SETS ((category, round, a, b), (category, a, b), (round, a, b), (a, b))
  ) AS c USING (category, round, a, b)
)
