-- Items of a batch whose answers count from now on, no longer, or otherwise are queued where it happens. Nothing that
-- writes answers has to know of it. A claim writes assignments too, and is passed over by WHEN.
CREATE OR REPLACE FUNCTION annotation_app_recount_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_recountqueue (batch_item, batch)
    SELECT i.id, i.batch_id FROM annotation_app_batchitem i WHERE i.id = coalesce(NEW.batch_item_id, OLD.batch_item_id);
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER recount_answered AFTER INSERT ON annotation_app_assignment FOR EACH ROW
    WHEN (NEW.state = 'submitted' AND NEW.current_id IS NOT NULL)
    EXECUTE FUNCTION annotation_app_recount_item();
CREATE OR REPLACE TRIGGER recount_changed AFTER UPDATE ON annotation_app_assignment FOR EACH ROW
    WHEN ('submitted' IN (NEW.state, OLD.state)
        AND (NEW.state, NEW.current_id) IS DISTINCT FROM (OLD.state, OLD.current_id))
    EXECUTE FUNCTION annotation_app_recount_item();
CREATE OR REPLACE TRIGGER recount_removed AFTER DELETE ON annotation_app_assignment FOR EACH ROW
    WHEN (OLD.state = 'submitted' AND OLD.current_id IS NOT NULL)
    EXECUTE FUNCTION annotation_app_recount_item();

CREATE OR REPLACE FUNCTION annotation_app_recount_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_recountqueue (batch_item, batch)
    SELECT i.id, i.batch_id
    FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
    WHERE a.annotator_id = NEW.id AND a.current_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER recount_person AFTER UPDATE ON annotation_app_membership FOR EACH ROW
    WHEN (NEW.role IS DISTINCT FROM OLD.role OR NEW.number IS DISTINCT FROM OLD.number)
    EXECUTE FUNCTION annotation_app_recount_person();

CREATE OR REPLACE FUNCTION annotation_app_recount_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_recountqueue (batch_item, batch)
    SELECT i.id, i.batch_id FROM annotation_app_batchitem i WHERE i.batch_id = NEW.id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER recount_batch AFTER UPDATE ON annotation_app_batch FOR EACH ROW
    WHEN ((NEW.kind, NEW.round_id, NEW.annotators_per_item)
        IS DISTINCT FROM (OLD.kind, OLD.round_id, OLD.annotators_per_item))
    EXECUTE FUNCTION annotation_app_recount_batch();

CREATE OR REPLACE FUNCTION annotation_app_recount_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_recountqueue (batch_item, batch)
    SELECT i.id, i.batch_id
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    WHERE b.round_id = coalesce(NEW.round_id, OLD.round_id)
        AND a.annotator_id = coalesce(NEW.membership_id, OLD.membership_id) AND a.current_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER recount_named AFTER INSERT OR DELETE ON annotation_app_round_annotators FOR EACH ROW
    EXECUTE FUNCTION annotation_app_recount_named();
