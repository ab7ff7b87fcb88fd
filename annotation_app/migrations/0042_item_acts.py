import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Store what admins did with many items at once, and let batches be of items that an admin chose."""

    dependencies = [("annotation_app", "0041_mails")]

    operations = [
        migrations.AlterField(
            "batch",
            "kind",
            models.CharField(
                choices=[
                    ("round", "Round"),
                    ("prototype", "Prototype"),
                    ("practice", "Practice"),
                    ("second_look", "Second Look"),
                    ("chosen", "Chosen"),
                ],
                default="round",
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="ItemAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "uuid",
                    models.UUIDField(
                        db_default=django.contrib.postgres.functions.RandomUUID(),
                        default=uuid.uuid4,
                        editable=False,
                        unique=True,
                    ),
                ),
                ("client_id", models.UUIDField(blank=True, editable=False, null=True)),
                ("body_hash", models.CharField(blank=True, default="", max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("leave_out", "Leave Out"),
                            ("take_back", "Take Back"),
                            ("open_batch", "Open Batch"),
                        ],
                        max_length=20,
                    ),
                ),
                ("items", django.contrib.postgres.fields.ArrayField(models.BigIntegerField(), size=None)),
                ("reason", models.TextField(blank=True, default="")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation_app.batch",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="item_acts",
                        to="annotation_app.project",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "client_id"), name="item_act_client_id_once")
                ],
            },
        ),
    ]
