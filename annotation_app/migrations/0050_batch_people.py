from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0049_first_link")]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="people_added",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="batch",
            name="priority",
            field=models.PositiveSmallIntegerField(db_default=5, default=5),
        ),
        migrations.AddField(
            model_name="round",
            name="shares",
            field=models.JSONField(db_default={}, default=dict),
        ),
    ]
