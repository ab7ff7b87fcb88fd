from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0047_notes_once")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="taken_off",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
