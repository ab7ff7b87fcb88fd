-- The batches of rounds. Figures about a project's labels are of these, unless batches are named.
CREATE VIEW rules.round_batch AS
SELECT * FROM annotation_app_batch WHERE kind = 'round'
