-- The texts whose tokens are compared.
SELECT unit, text FROM spans_compared
