-- The labels of a stored set, such as ["anger","joy"], in their order. Keys hold no comma, bracket or quotation mark.
CREATE FUNCTION rules.set_labels(stored text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN string_to_array(translate(stored, '[]"', ''), ',')
