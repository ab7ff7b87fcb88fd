"""A round may learn several stages: its one stage becomes a list, its training set names the stage of each label."""

import hashlib
import json

from django.db import migrations, models


def one_stage_to_list(apps, schema_editor):
    """Rows of earlier rounds take the new form, and their hash that of the new rows; records stay as written."""
    rounds = apps.get_model("annotation_app", "Round")
    for row in rounds.objects.only("learning_stage", "training_set").iterator(chunk_size=20):
        row.learning_stages = [row.learning_stage]
        row.training_set = [[item, {row.learning_stage: label}] for item, label in row.training_set]
        text = json.dumps(row.training_set, ensure_ascii=False, sort_keys=True)
        row.training_set_hash = hashlib.sha256(text.encode()).hexdigest()
        row.save(update_fields=["learning_stages", "training_set", "training_set_hash"])


def list_to_one_stage(apps, schema_editor):
    """Back to the first stage: labels of the others are lost to the row, and stay in the record."""
    rounds = apps.get_model("annotation_app", "Round")
    for row in rounds.objects.only("learning_stages", "training_set").iterator(chunk_size=20):
        row.learning_stage = row.learning_stages[0]
        row.training_set = [
            [item, labels[row.learning_stage]] for item, labels in row.training_set if row.learning_stage in labels
        ]
        text = json.dumps(row.training_set, ensure_ascii=False)
        row.training_set_hash = hashlib.sha256(text.encode()).hexdigest()
        row.save(update_fields=["learning_stage", "training_set", "training_set_hash"])


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0001_initial")]

    operations = [
        migrations.AddField("round", "combine", models.CharField(default="sum", max_length=8)),
        migrations.AddField("round", "learning_stages", models.JSONField(default=list)),
        migrations.AlterField("round", "learning_stage", models.CharField(default="", max_length=64)),
        migrations.RunPython(one_stage_to_list, list_to_one_stage),
        migrations.AlterField("round", "learning_stages", models.JSONField()),
        migrations.RemoveField("round", "learning_stage"),
    ]
