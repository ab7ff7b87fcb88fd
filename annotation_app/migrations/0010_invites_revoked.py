from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0009_releases'),
    ]

    operations = [
        migrations.AddField(
            model_name='invite',
            name='revoked_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
