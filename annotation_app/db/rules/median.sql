-- The median of answers that are numbers: the one in the middle, or the mean of the two in the middle. It is exact, as
-- answers are decimals. Texts of another form, which an older version let in, do not count. Without numbers it is null.
CREATE FUNCTION rules.median(answers text[]) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT trim_scale(avg(number))
  FROM (
    SELECT
      answer::numeric AS number,
      row_number() OVER (ORDER BY answer::numeric) AS place,
      count(*) OVER () AS n
    FROM unnest(answers) AS a(answer)
    WHERE answer ~ '^-?[0-9]+([.][0-9]+)?$'
  ) AS ordered
  WHERE place IN ((n + 1) / 2, n / 2 + 1)
)
