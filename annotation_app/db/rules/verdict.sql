-- The verdict on the answers to one item at one stage: how often each answer was given, and which is the majority.
-- PostgreSQL writes this function into the statement that reads it, so that only what is read is computed.
CREATE FUNCTION rules.verdict(answers text[], slots integer, is_set boolean)
RETURNS TABLE (votes jsonb, majority text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT
    jsonb_object_agg(label, n),
    CASE
      WHEN is_set THEN rules.majority_set(answers, rules.majority_takes(slots))
      ELSE max(label) FILTER (WHERE n >= rules.majority_takes(slots))
    END
  FROM (SELECT label, count(*) AS n FROM unnest(answers) AS l(label) GROUP BY label) AS counted;
END
