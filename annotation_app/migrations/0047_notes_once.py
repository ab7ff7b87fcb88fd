from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0046_notices")]

    operations = [
        migrations.AddField(
            model_name="codebooknote",
            name="client_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="codebooknote",
            constraint=models.UniqueConstraint(fields=("published_by", "client_id"), name="codebook_note_once"),
        ),
    ]
