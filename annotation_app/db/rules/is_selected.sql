-- Which batches a statement is about: those of the rounds, or those that are named, of whatever kind.
CREATE FUNCTION rules.is_selected(kind text, batch bigint, named bigint[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN named IS NULL THEN kind = 'round' ELSE batch = ANY(named) END
