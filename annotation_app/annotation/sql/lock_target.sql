-- Lock the person first, then the assignment, in the order that everything here uses. The batch is locked for sharing
-- by everybody who submits: whoever freezes it waits for them, and they wait for the freeze.
SELECT a.id, a.state, a.slot, a.current_id, a.batch_item_id, a.answers_revealed_at, b.id, b.codebook_id, b.frozen_at,
    b.suggestions_id, b.people_added
FROM annotation_app_assignment a
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE a.uuid = %(assignment)s AND m.id = %(member)s AND m.is_active
FOR NO KEY UPDATE OF m, a FOR SHARE OF b
