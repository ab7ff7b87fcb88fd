from django.db import migrations, models

from annotation_app.models.names import PeopleManager

JOBS = ("import", "round", "release", "simulation")


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0017_user_name_once")]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[("objects", PeopleManager())])
    ] + [
        operation
        for job in JOBS
        for operation in (
            migrations.AddField(
                model_name=job, name="attempts_before", field=models.PositiveIntegerField(default=0)
            ),
            migrations.AddField(model_name=job, name="last_error", field=models.TextField(blank=True, default="")),
        )
    ]
