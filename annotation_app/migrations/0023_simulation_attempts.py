"""Count a simulation's attempts since its last finished batch in the column that every job has."""

from django.db import migrations

CARRY_OVER = """
UPDATE annotation_app_simulation
SET attempts_before = CASE state WHEN 'running' THEN attempt - workers_lost - 1 ELSE attempt END
WHERE state IN ('waiting', 'running')
"""


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0022_codebook_moment")]

    operations = [
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
        migrations.RemoveField(model_name="simulation", name="workers_lost"),
    ]
