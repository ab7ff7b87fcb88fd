from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0043_codebook_drafts")]

    operations = [
        migrations.AddField(
            model_name="invite", name="address", field=models.EmailField(blank=True, default="", max_length=254)
        ),
        migrations.AddField(model_name="invite", name="mailed_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(model_name="mail", name="invite_id", field=models.BigIntegerField(null=True)),
        migrations.AlterField(
            model_name="mail",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("text", "Text"),
                    ("password", "Password"),
                    ("address", "Address"),
                    ("invitation", "Invitation"),
                ],
                max_length=20,
            ),
        ),
    ]
