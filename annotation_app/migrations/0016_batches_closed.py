import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0015_circular_items'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='added',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='assignment',
            name='handed_to',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation_app.membership'),
        ),
        migrations.AddField(
            model_name='batch',
            name='closed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='item',
            name='left_out_reason',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AlterField(
            model_name='item',
            name='left_out',
            field=models.CharField(blank=True, choices=[('too_short', 'Too Short'), ('too_long', 'Too Long'), ('by_admin', 'By Admin')], default='', max_length=20),
        ),
    ]
