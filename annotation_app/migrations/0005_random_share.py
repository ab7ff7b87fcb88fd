from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0004_insights")]

    operations = [
        migrations.AddField("round", "random_share", models.FloatField(default=0.0)),
        migrations.AddField("round", "no_duplicate_texts", models.BooleanField(default=False)),
        migrations.AddField("round", "learning_rate", models.FloatField(blank=True, null=True)),
    ]
