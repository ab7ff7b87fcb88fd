from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models
from django.db.models.functions import Length, Upper


class Migration(migrations.Migration):
    """Index items for the list of items: parts of words of text and id, the order of import, and the length.

    Lines of the log are found by what they are about, for the history of one item.
    """

    dependencies = [("annotation_app", "0037_threads")]

    operations = [
        TrigramExtension(),
        migrations.AddIndex("item", models.Index("project", "id", name="item_in_order")),
        migrations.AddIndex("item", models.Index("project", Length("text"), "id", name="item_by_length")),
        migrations.AddIndex("event", models.Index(fields=["project", "subject"], name="event_by_subject")),
        migrations.AddIndex(
            "item", GinIndex(OpClass(Upper("text"), name="gin_trgm_ops"), name="item_text_parts")
        ),
        migrations.AddIndex(
            "item", GinIndex(OpClass(Upper("external_id"), name="gin_trgm_ops"), name="item_id_parts")
        ),
    ]
