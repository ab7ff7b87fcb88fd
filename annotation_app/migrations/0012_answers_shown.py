from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0011_answer_bags'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='answers_shown_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
