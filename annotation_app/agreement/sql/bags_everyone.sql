-- As bags.sql, of these views alone: people by the ten who answer everything give nearly every item a pattern of its own,
-- but a few hundred bags.
SELECT
  row_number() OVER () AS bag,
  b.view, b.labels, b.n::float8 AS n, cardinality(b.labels)::float8 AS m,
  (SELECT sum(c * c)::float8 FROM (SELECT count(*) AS c FROM unnest(b.labels) AS l GROUP BY l) AS counts) AS same,
  cardinality(b.labels) = cardinality(p.raters) AS complete
FROM (
  SELECT
    concat_ws('/', p.stage, p.round, 0, 0) AS view,
    ARRAY(SELECT l FROM unnest(p.labels) AS l ORDER BY l) AS labels,
    sum(p.n) AS n
  FROM patterns p
  GROUP BY 1, 2
) AS b
JOIN people p ON p.view = b.view
