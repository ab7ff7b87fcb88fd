from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    """Let an answer be a text of any length. PostgreSQL changes the two columns of answers without rewriting them."""

    dependencies = [
        ("annotation_app", "0035_starts_once"),
    ]

    operations = [
        migrations.AlterField(model_name="answer", name="label", field=models.TextField()),
        migrations.AlterField(model_name="adjudicatedlabel", name="label", field=models.TextField()),
        migrations.AlterField(model_name="answerpattern", name="labels", field=ArrayField(models.TextField())),
        migrations.AlterField(model_name="labelcombination", name="labels", field=ArrayField(models.TextField())),
    ]
