from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0039_projects_once")]

    operations = [
        migrations.AddField(
            model_name="user", name="time_zone", field=models.CharField(blank=True, default="", max_length=64)
        ),
    ]
