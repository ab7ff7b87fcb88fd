-- The items of practices that were opened. Whoever goes through one sees the key of its items, so that nobody is given
-- them to answer elsewhere.
CREATE VIEW rules.practised_item AS
SELECT DISTINCT i.item_id AS item
FROM annotation_app_practice p
JOIN annotation_app_batchitem i ON i.batch_id = p.batch_id
WHERE p.opened_at IS NOT NULL
