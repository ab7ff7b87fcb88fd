"""What an item carries beside its text: the documents it is about, and marks that were imported with it."""

from django.db import models

from annotation_app.models.base import PublicModel
from annotation_app.models.corpus import Item
from annotation_app.models.imports import Import
from annotation_app.models.project import Project


class SourceDocument(PublicModel):
    """A document that items are about, such as the press release that an article interprets."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="source_documents")
    source = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="+")
    external_id = models.TextField()
    title = models.TextField(blank=True, default="")
    text = models.TextField()
    # Whitespace tokens.
    n_words = models.PositiveIntegerField()
    meta = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="source_document_id_once")]


class ItemSource(models.Model):
    """One of the source documents of an item; one source may stand beside many items."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="item_sources")
    source_document = models.ForeignKey(SourceDocument, on_delete=models.PROTECT, related_name="item_sources")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "source_document"], name="item_source_once")]


class ItemMarks(models.Model):
    """Spans that came with an imported item. They are nobody's annotation: people may start from them.

    `spans`: [{start, end, category, comment, source}], the source as its external id or null.
    """

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="marks")
    spans = models.JSONField()
