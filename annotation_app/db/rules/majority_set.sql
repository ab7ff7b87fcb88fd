-- The majority of sets of labels: each label is a question of its own, and the rule of one label (`majority_takes`)
-- holds for its yes and for its no. The set is of the labels that a majority chose, where of each other label a majority
-- left it out; else there is none. So a majority that is there stays, whatever the others answer; and where as many
-- answers as a majority takes are the same set, that set is the majority.
CREATE FUNCTION rules.majority_set(answers text[], takes integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT
    CASE
      WHEN cardinality(answers) >= takes AND coalesce(bool_and(greatest(n, cardinality(answers) - n) >= takes), true)
      THEN '[' || coalesce(string_agg('"' || label || '"', ',' ORDER BY label COLLATE "C") FILTER (WHERE n >= takes), '') || ']'
    END
  FROM (
    SELECT l.label, count(*) AS n
    FROM unnest(answers) AS a(answer)
    CROSS JOIN LATERAL unnest(rules.set_labels(a.answer)) AS l(label)
    GROUP BY l.label
  ) AS counted
)
