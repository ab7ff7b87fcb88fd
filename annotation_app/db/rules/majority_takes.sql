-- The majority rule: the least number of equal answers that are a majority where an item has `slots` slots. It is more
-- than half of the slots, not of the answers that happen to exist. Any other rule must take more than half too, so that
-- two labels are never both a majority.
CREATE FUNCTION rules.majority_takes(slots integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN slots / 2 + 1
