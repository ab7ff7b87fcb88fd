import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# What a project holds is found by following the foreign keys that lead to it, so that no table is forgotten. A helper
# with the caller's own rights: the application's role can't delete annotations by it.
PURGE_ROWS = """
CREATE FUNCTION annotation_app_purge_rows(tab regclass, condition text, path oid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    reference record;
BEGIN
    FOR reference IN
        SELECT c.conrelid, mine.attname AS mine, theirs.attname AS theirs
        FROM pg_constraint c
        JOIN pg_attribute mine ON mine.attrelid = c.conrelid AND mine.attnum = c.conkey[1]
        JOIN pg_attribute theirs ON theirs.attrelid = c.confrelid AND theirs.attnum = c.confkey[1]
        WHERE c.contype = 'f' AND c.confrelid = tab AND NOT c.conrelid = ANY(path || tab::oid)
    LOOP
        PERFORM annotation_app_purge_rows(
            reference.conrelid::regclass,
            format('%I IN (SELECT %I FROM %s WHERE %s)', reference.mine, reference.theirs, tab, condition),
            path || tab::oid
        );
    END LOOP;
    EXECUTE format('DELETE FROM %s WHERE %s', tab, condition);
END $$;
"""

# With the owner's rights, as the application's role can't delete annotations, answers and events. It does so only for a
# project whose deletion was asked for, and whose grace is over by the database's own clock.
PURGE = """
CREATE FUNCTION annotation_app_project_purge(purged bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM annotation_app_project WHERE id = purged FOR UPDATE;
    IF NOT EXISTS (
        SELECT FROM annotation_app_projectdeletion WHERE project_id = purged AND purge_after <= clock_timestamp()
    ) THEN
        RETURN false;
    END IF;
    PERFORM set_config('quorum.purging', 'on', true);
    DELETE FROM annotation_app_foldeditem WHERE batch_item IN (
        SELECT i.id FROM annotation_app_batchitem i JOIN annotation_app_batch b ON b.id = i.batch_id
        WHERE b.project_id = purged
    );
    CREATE TEMPORARY TABLE purged_batch ON COMMIT DROP AS SELECT id FROM annotation_app_batch WHERE project_id = purged;
    PERFORM annotation_app_purge_rows('annotation_app_project', format('id = %s', purged), '{}');
    -- Assignments that went have queued their items.
    DELETE FROM annotation_app_foldqueue WHERE batch IN (SELECT id FROM purged_batch)
        OR batch_item NOT IN (SELECT id FROM annotation_app_batchitem);
    DROP TABLE purged_batch;
    PERFORM set_config('quorum.purging', 'off', true);
    RETURN true;
END $$;
"""

GRACE = """
CREATE FUNCTION annotation_app_deletion_grace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.asked_at := clock_timestamp();
    IF NEW.purge_after < NEW.asked_at + interval '23 hours' THEN
        RAISE EXCEPTION 'A project is deleted a day after it was asked for at the soonest.';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER deletion_grace BEFORE INSERT ON annotation_app_projectdeletion FOR EACH ROW
    EXECUTE FUNCTION annotation_app_deletion_grace();
"""

# A release that is done goes with its project, and only so: by the owner, within a purge.
RELEASE = """
CREATE OR REPLACE FUNCTION annotation_app_release_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('quorum.purging', true) = 'on' AND current_user = (
        SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'Release % of project % is done and cannot be changed or deleted.', OLD.number, OLD.project_id;
END $$;
"""
RELEASE_BEFORE = """
CREATE OR REPLACE FUNCTION annotation_app_release_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Release % of project % is done and cannot be changed or deleted.', OLD.number, OLD.project_id;
END $$;
"""
UNDONE = """
DROP FUNCTION annotation_app_project_purge(bigint);
DROP FUNCTION annotation_app_purge_rows(regclass, text, oid[]);
DROP FUNCTION annotation_app_deletion_grace() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0018_attempts'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='archived_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='ProjectDeletion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('purge_after', models.DateTimeField()),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='deletion', to='annotation_app.project')),
            ],
        ),
        migrations.RunSQL(PURGE_ROWS + PURGE + GRACE, UNDONE),
        migrations.RunSQL(RELEASE, RELEASE_BEFORE),
    ]
