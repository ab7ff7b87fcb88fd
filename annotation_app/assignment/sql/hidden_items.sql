-- Items of rounds whose outcome is hidden from the reader: their own answer can still be revised, or a second look of
-- theirs is still to be answered. The second column is true where the reader has answered everything that is theirs.
SELECT coalesce(f.id, i.id), bool_and(a.state IN ('submitted', 'skipped', 'surplus'))
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
LEFT JOIN annotation_app_batchitem f ON f.batch_id = b.second_look_of_id AND f.item_id = i.item_id
WHERE a.annotator_id = %(reader)s AND a.answers_revealed_at IS NULL AND b.frozen_at IS NULL
    AND CASE b.kind
        WHEN 'round' THEN a.state IN ('submitted', 'skipped', 'surplus')
        WHEN 'second_look' THEN a.state <> 'withdrawn'
        ELSE false
    END
GROUP BY 1
