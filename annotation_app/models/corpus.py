"""Store text exactly as imported. Offsets are Unicode code points, half-open, into the utterance's text."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models.functions import Length, Upper

from annotation_app.models.base import PublicModel
from annotation_app.models.imports import Import
from annotation_app.models.project import Project


class Document(models.Model):
    """Store a document, which holds utterances. `external_id` is its id in the imported file."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="documents")
    source = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="+")
    external_id = models.TextField()
    title = models.TextField(blank=True, default="")
    position = models.PositiveIntegerField()
    meta = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="document_id_once")]

    @property
    def name(self) -> str:
        """Return the title, or the id where there is none."""
        return self.title or self.external_id


class Utterance(models.Model):
    """Store one speaker's turn, or one row of a source without turns. Sentence bounds serve the context levels."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="utterances")
    external_id = models.TextField()
    position = models.PositiveIntegerField()
    speaker = models.TextField(blank=True, default="")
    text = models.TextField()
    n_tokens = models.PositiveIntegerField()
    sentence_starts = ArrayField(models.PositiveIntegerField())
    sentence_ends = ArrayField(models.PositiveIntegerField())
    meta = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="utterance_position_once")]


class Item(PublicModel):
    """Store an item, the unit that people label. `left_out` is empty for the pool; other items stay as context only."""

    class LeftOut(models.TextChoices):
        TOO_SHORT = "too_short"
        TOO_LONG = "too_long"
        # An admin left the item out; `left_out_reason` says why.
        BY_ADMIN = "by_admin"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="items")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="items")
    utterance = models.ForeignKey(Utterance, on_delete=models.PROTECT, related_name="items")
    external_id = models.TextField()
    # The sentence's number within the utterance, from 1; null where the item is the whole utterance or document.
    number = models.PositiveIntegerField(null=True, blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    left_out = models.CharField(max_length=20, choices=LeftOut.choices, blank=True, default="")
    left_out_reason = models.TextField(blank=True, default="", db_default="")
    meta = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="item_id_once"),
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="item_is_not_empty"),
        ]
        indexes = [
            models.Index(fields=["project", "id"], condition=models.Q(left_out=""), name="item_pool"),
            models.Index("project", "id", name="item_in_order"),
            models.Index("project", Length("text"), "id", name="item_by_length"),
            # Parts of words in any case: Django compares in capitals.
            GinIndex(OpClass(Upper("text"), name="gin_trgm_ops"), name="item_text_parts"),
            GinIndex(OpClass(Upper("external_id"), name="gin_trgm_ops"), name="item_id_parts"),
        ]
