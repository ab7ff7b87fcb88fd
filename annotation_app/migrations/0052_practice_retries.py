import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0051_test_sets_of_sets'),
    ]

    operations = [
        migrations.AddField(
            model_name='invite',
            name='body_hash',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
        migrations.AddField(
            model_name='invite',
            name='client_id',
            field=models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='practice',
            name='body_hash',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
        migrations.AddField(
            model_name='practice',
            name='client_id',
            field=models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='knownanswer',
            name='explanations',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='knownanswer',
            name='version',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.CreateModel(
            name='PracticeAddition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_id', models.UUIDField(blank=True, editable=False, null=True)),
                ('body_hash', models.CharField(blank=True, default='', max_length=64)),
                ('added', models.PositiveIntegerField()),
                ('practice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='additions', to='annotation_app.practice')),
            ],
        ),
        migrations.AddConstraint(
            model_name='invite',
            constraint=models.UniqueConstraint(fields=('project', 'client_id'), name='invite_client_id_once'),
        ),
        migrations.AddConstraint(
            model_name='practice',
            constraint=models.UniqueConstraint(fields=('project', 'client_id'), name='practice_client_id_once'),
        ),
        migrations.AddConstraint(
            model_name='practiceaddition',
            constraint=models.UniqueConstraint(fields=('practice', 'client_id'), name='practice_addition_client_id_once'),
        ),
    ]
