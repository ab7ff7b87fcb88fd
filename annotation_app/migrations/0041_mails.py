import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Lower


def unconfirmed_clear(apps, schema_editor):
    """Empty the addresses: nobody could confirm one before, and a confirmed one can reset a password."""
    apps.get_model("annotation_app", "User").objects.exclude(email="").update(email="")


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0040_time_zones_of_people")]

    operations = [
        migrations.RunPython(unconfirmed_clear, migrations.RunPython.noop, elidable=False),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                Lower("email"), condition=models.Q(("email", ""), _negated=True), name="user_address_once"
            ),
        ),
        migrations.CreateModel(
            name="AddressLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(max_length=254)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="address_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "purpose",
                    models.CharField(
                        choices=[("text", "Text"), ("password", "Password"), ("address", "Address")], max_length=20
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("subject", models.CharField(blank=True, default="", max_length=200)),
                ("text", models.TextField(blank=True, default="")),
                ("origin", models.CharField(blank=True, default="", max_length=500)),
                ("asked_from", models.CharField(blank=True, default="", max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("problem", models.CharField(blank=True, default="", max_length=500)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["due_at"], name="mail_waiting"),
                    models.Index(fields=["created_at"], name="mail_by_time"),
                ],
            },
        ),
    ]
