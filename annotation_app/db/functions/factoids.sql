-- Every step of work on a factoid list adds a revision. Where none can be added, the list never changes: once its phase
-- is closed, or it was published or discarded.
CREATE OR REPLACE FUNCTION annotation_app_factoid_list_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM annotation_app_factoidlist l
        LEFT JOIN annotation_app_factoidphase p ON p.id = l.phase_id
        WHERE l.id = NEW.factoid_list_id
          AND (p.closed_at IS NOT NULL OR l.published_at IS NOT NULL OR l.discarded_at IS NOT NULL)
    ) THEN
        RAISE EXCEPTION 'Factoid list % is closed and cannot be changed.', NEW.factoid_list_id;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER factoid_list_open BEFORE INSERT ON annotation_app_factoidrevision FOR EACH ROW
    EXECUTE FUNCTION annotation_app_factoid_list_open();

-- Scores are computed by a published list, and cited. Only the deletion of the whole project removes it.
CREATE OR REPLACE FUNCTION annotation_app_factoid_list_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('quorum.purging', true) = 'on' AND current_user = (
        SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'Version % of factoid list % cannot be changed or deleted.', OLD.version, OLD.id;
END $$;
CREATE OR REPLACE TRIGGER factoid_list_published BEFORE UPDATE OR DELETE ON annotation_app_factoidlist FOR EACH ROW
    WHEN (OLD.published_at IS NOT NULL)
    EXECUTE FUNCTION annotation_app_factoid_list_published();
