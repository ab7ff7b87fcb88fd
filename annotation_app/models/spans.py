"""Store spans with comments, of annotators and of reviewers. Offsets are code points of the item's text."""

from django.db import models
from django.utils import timezone

from annotation_app.models.annotations import Annotation
from annotation_app.models.base import PublicModel
from annotation_app.models.people import Membership
from annotation_app.models.rounds import BatchItem
from annotation_app.models.sources import SourceDocument


class MarkedSpan(models.Model):
    """Hold one span: text[start:end] belongs to a category, and `quote` is that text. An empty comment means none."""

    # Counts from 0, in the order of (start, end, category, comment).
    place = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()
    category = models.CharField(max_length=64)
    comment = models.TextField(blank=True, default="")
    source_document = models.ForeignKey(
        SourceDocument, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        abstract = True


class Span(MarkedSpan):
    """Store a span of one revision of an annotation. It is append-only, as the revision is."""

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="spans")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "place"], name="span_place_once"),
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="span_is_not_empty"),
        ]


class Validation(PublicModel):
    """Store a validator's decision about the annotations of an item. The highest revision counts.

    `accepted` names one annotation. `edited` has spans of its own, made from `annotation` or from nothing. `rejected`
    means that none of the annotations can be used. `reopened` takes the previous decision back.
    """

    class Decision(models.TextChoices):
        ACCEPTED = "accepted"
        EDITED = "edited"
        REJECTED = "rejected"
        REOPENED = "reopened"

    batch_item = models.ForeignKey(BatchItem, on_delete=models.PROTECT, related_name="validations")
    revision = models.PositiveIntegerField()
    client_id = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    validator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="validations")
    decision = models.CharField(max_length=20, choices=Decision.choices)
    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch_item", "revision"], name="validation_revision_once"),
            models.UniqueConstraint(fields=["batch_item", "client_id"], name="validation_client_id_once"),
            models.CheckConstraint(
                condition=~models.Q(decision="accepted") | models.Q(annotation__isnull=False),
                name="validation_accepts_something",
            ),
        ]


class ValidatedSpan(MarkedSpan):
    """Store a span of a decision that edited. It replaces what the annotators marked."""

    validation = models.ForeignKey(Validation, on_delete=models.PROTECT, related_name="spans")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["validation", "place"], name="validated_span_place_once"),
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="validated_span_is_not_empty"),
        ]
