"""Give tables and columns the words of docs/concepts.md."""

from importlib import import_module

from django.db import migrations, models

counting = import_module("annotation_app.migrations.0007_agreement_patterns")
purging = import_module("annotation_app.migrations.0019_archive_and_purge")

# Functions that name tables are created by config/rules.py from here on.
GO = counting.UNDONE
COME_BACK = f"""
DROP FUNCTION IF EXISTS annotation_app_recount_item() CASCADE;
DROP FUNCTION IF EXISTS annotation_app_recount_person() CASCADE;
DROP FUNCTION IF EXISTS annotation_app_recount_batch() CASCADE;
DROP FUNCTION IF EXISTS annotation_app_recount_named() CASCADE;
{counting.TRIGGERS}
{purging.PURGE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")}
"""


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0024_counted_by")]

    operations = [
        migrations.RunSQL(GO, COME_BACK),
        migrations.RemoveIndex(model_name="answerpattern", name="answer_pattern_unbagged"),
        migrations.RenameModel(old_name="AnswerBag", new_name="LabelCombination"),
        migrations.RenameModel(old_name="FoldedItem", new_name="CountedItem"),
        migrations.RenameModel(old_name="FoldQueue", new_name="RecountQueue"),
        migrations.RenameModel(old_name="ItemMarks", new_name="ImportedSpans"),
        migrations.RenameField(model_name="answerpattern", old_name="n_bagged", new_name="n_applied"),
        migrations.RenameField(model_name="assignment", old_name="answers_shown_at", new_name="answers_revealed_at"),
        migrations.AddIndex(
            model_name="answerpattern",
            index=models.Index(
                condition=models.Q(("n", models.F("n_applied")), _negated=True),
                fields=["batch"],
                name="answer_pattern_unapplied",
            ),
        ),
    ]
