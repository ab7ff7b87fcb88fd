import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


# Items of a batch whose answers count from now on, no longer, or otherwise are queued where it happens, so that
# nothing that writes answers has to know of it. A claim writes assignments too, and is passed over by WHEN.
TRIGGERS = """
CREATE FUNCTION annotation_app_fold_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_foldqueue (batch_item, batch)
    SELECT i.id, i.batch_id FROM annotation_app_batchitem i WHERE i.id = coalesce(NEW.batch_item_id, OLD.batch_item_id);
    RETURN NULL;
END $$;
CREATE TRIGGER fold_answered AFTER INSERT ON annotation_app_assignment FOR EACH ROW
    WHEN (NEW.state = 'submitted' AND NEW.current_id IS NOT NULL)
    EXECUTE FUNCTION annotation_app_fold_item();
CREATE TRIGGER fold_changed AFTER UPDATE ON annotation_app_assignment FOR EACH ROW
    WHEN ('submitted' IN (NEW.state, OLD.state)
        AND (NEW.state, NEW.current_id) IS DISTINCT FROM (OLD.state, OLD.current_id))
    EXECUTE FUNCTION annotation_app_fold_item();
CREATE TRIGGER fold_removed AFTER DELETE ON annotation_app_assignment FOR EACH ROW
    WHEN (OLD.state = 'submitted' AND OLD.current_id IS NOT NULL)
    EXECUTE FUNCTION annotation_app_fold_item();

CREATE FUNCTION annotation_app_fold_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_foldqueue (batch_item, batch)
    SELECT i.id, i.batch_id
    FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
    WHERE a.annotator_id = NEW.id AND a.current_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER fold_person AFTER UPDATE ON annotation_app_membership FOR EACH ROW
    WHEN (NEW.role IS DISTINCT FROM OLD.role OR NEW.number IS DISTINCT FROM OLD.number)
    EXECUTE FUNCTION annotation_app_fold_person();

CREATE FUNCTION annotation_app_fold_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_foldqueue (batch_item, batch)
    SELECT i.id, i.batch_id FROM annotation_app_batchitem i WHERE i.batch_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER fold_batch AFTER UPDATE ON annotation_app_batch FOR EACH ROW
    WHEN ((NEW.kind, NEW.round_id, NEW.annotators_per_item)
        IS DISTINCT FROM (OLD.kind, OLD.round_id, OLD.annotators_per_item))
    EXECUTE FUNCTION annotation_app_fold_batch();

CREATE FUNCTION annotation_app_fold_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_app_foldqueue (batch_item, batch)
    SELECT i.id, i.batch_id
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    WHERE b.round_id = coalesce(NEW.round_id, OLD.round_id)
        AND a.annotator_id = coalesce(NEW.membership_id, OLD.membership_id) AND a.current_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER fold_named AFTER INSERT OR DELETE ON annotation_app_round_annotators FOR EACH ROW
    EXECUTE FUNCTION annotation_app_fold_named();

INSERT INTO annotation_app_foldqueue (batch_item, batch)
SELECT DISTINCT i.id, i.batch_id
FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
WHERE a.state = 'submitted' AND a.current_id IS NOT NULL;
"""

UNDONE = """
DROP FUNCTION annotation_app_fold_item() CASCADE;
DROP FUNCTION annotation_app_fold_person() CASCADE;
DROP FUNCTION annotation_app_fold_batch() CASCADE;
DROP FUNCTION annotation_app_fold_named() CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0006_spans'),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementState',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='annotation_app.project')),
                ('version', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='FoldedItem',
            fields=[
                ('batch_item', models.BigIntegerField(primary_key=True, serialize=False)),
                ('patterns', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
            ],
        ),
        migrations.CreateModel(
            name='FoldQueue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('batch_item', models.BigIntegerField(db_index=True)),
                ('batch', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='AnswerPattern',
            fields=[
                ('key', models.UUIDField(primary_key=True, serialize=False)),
                ('stage', models.CharField(max_length=64)),
                ('raters', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ('labels', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None)),
                ('majorities', models.TextField()),
                ('n', models.BigIntegerField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation_app.batch')),
            ],
        ),
        migrations.CreateModel(
            name='AgreementCache',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('view', models.CharField(max_length=64)),
                ('made_of', models.CharField(max_length=64)),
                ('rows', models.JSONField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation_app.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'view'), name='agreement_cache_once')],
            },
        ),
        migrations.RunSQL(TRIGGERS, UNDONE),
    ]
