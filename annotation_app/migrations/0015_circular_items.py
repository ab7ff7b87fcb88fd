from django.db import migrations, models

# The bags are filled from the patterns again at the next read, with the new count in them.
EMPTY = """
DELETE FROM annotation_app_answerbag;
UPDATE annotation_app_answerpattern SET n_bagged = 0 WHERE n_bagged <> 0;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation_app', '0014_accounts'),
    ]

    operations = [
        migrations.AddField(
            model_name='answerbag',
            name='n_circular',
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.RunSQL(EMPTY, reverse_sql=migrations.RunSQL.noop),
    ]
