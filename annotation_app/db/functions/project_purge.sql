-- Deletes a project with all that is in it. It has the owner's rights, as the application's role cannot delete
-- annotations, answers and events. It does so only for a project whose deletion was asked for, and whose grace is over
-- by the database's own clock.
CREATE OR REPLACE FUNCTION annotation_app_project_purge(purged bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM annotation_app_project WHERE id = purged FOR UPDATE;
    IF NOT EXISTS (
        SELECT FROM annotation_app_projectdeletion WHERE project_id = purged AND purge_after <= clock_timestamp()
    ) THEN
        RETURN false;
    END IF;
    PERFORM set_config('quorum.purging', 'on', true);
    DELETE FROM annotation_app_counteditem WHERE batch_item IN (
        SELECT i.id FROM annotation_app_batchitem i JOIN annotation_app_batch b ON b.id = i.batch_id
        WHERE b.project_id = purged
    );
    CREATE TEMPORARY TABLE purged_batch ON COMMIT DROP AS SELECT id FROM annotation_app_batch WHERE project_id = purged;
    PERFORM annotation_app_purge_rows('annotation_app_project', format('id = %s', purged), '{}');
    -- Assignments that went have queued their items.
    DELETE FROM annotation_app_recountqueue WHERE batch IN (SELECT id FROM purged_batch)
        OR batch_item NOT IN (SELECT id FROM annotation_app_batchitem);
    DROP TABLE purged_batch;
    PERFORM set_config('quorum.purging', 'off', true);
    RETURN true;
END $$;
