SELECT i.item_id, d.raters
FROM differing d
JOIN rules.data_item i ON i.id = d.unit
ORDER BY i.rank
