"""Note by which rules the stored counts of agreement were made: config/rules.py compares this with the rules of now."""

from django.db import migrations

NOTE = """
COMMENT ON TABLE annotation_app_answerpattern
IS '80657876a8792640a1773d40a68135bcb4c003956f091096e308080daf874d51'
"""


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0023_simulation_attempts")]

    operations = [migrations.RunSQL(NOTE, "COMMENT ON TABLE annotation_app_answerpattern IS NULL")]
