"""Store what an item has besides its text: the documents that it is about, and spans that were imported with it."""

from django.db import models

from annotation_app.models.base import PublicModel
from annotation_app.models.corpus import Item
from annotation_app.models.imports import Import
from annotation_app.models.project import Project


class SourceDocument(PublicModel):
    """Store a document that items are about, such as the press release that an article interprets."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="source_documents")
    source = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="+")
    external_id = models.TextField()
    title = models.TextField(blank=True, default="")
    text = models.TextField()
    # Counts tokens separated by white space.
    n_words = models.PositiveIntegerField()
    meta = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "external_id"], name="source_document_id_once")]


class ItemSource(models.Model):
    """Link an item to one of its source documents. A source document may belong to many items."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="item_sources")
    source_document = models.ForeignKey(SourceDocument, on_delete=models.PROTECT, related_name="item_sources")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "source_document"], name="item_source_once")]


class ImportedSpans(models.Model):
    """Store the spans that were imported with an item. They are nobody's annotation; people may start from them.

    `spans` is [{start, end, category, comment, source}], with the source as its external id or null.
    """

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="marks")
    spans = models.JSONField()
