import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0054_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='noticeread',
            name='mailed',
            field=models.BigIntegerField(db_default=-1, default=-1),
        ),
        migrations.AddField(
            model_name='user',
            name='notice_mails',
            field=models.CharField(choices=[('off', 'Off'), ('daily', 'Daily'), ('at_once', 'At Once')], default='daily', max_length=10),
        ),
        migrations.AddField(
            model_name='user',
            name='notices_due_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
    ]
