-- The slot of one assignment; null where none is free.
SELECT slot FROM slots
