"""Store decisions about items on which people disagree, beside the annotations and never in place of them."""

from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.people import Membership
from annotation_app.models.rounds import BatchItem


class Adjudication(PublicModel):
    """Store one decision about an item of a batch. The highest revision counts; one that withdraws has no labels.

    A consensus is what the annotators agreed on after a second look, as an admin recorded it. It goes with the
    majorities of the revised answers, and an adjudication with those of the independent answers.
    """

    class Source(models.TextChoices):
        ADJUDICATION = "adjudication"
        CONSENSUS = "consensus"

    batch_item = models.ForeignKey(BatchItem, on_delete=models.PROTECT, related_name="adjudications")
    revision = models.PositiveIntegerField()
    client_id = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="adjudications")
    source = models.CharField(max_length=20, choices=Source.choices)
    withdraws = models.BooleanField(default=False)
    reason = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch_item", "revision"], name="adjudication_revision_once"),
            models.UniqueConstraint(fields=["batch_item", "client_id"], name="adjudication_client_id_once"),
        ]


class AdjudicatedLabel(models.Model):
    """Store the label that a decision gives a stage. Stages that the decision does not name keep their majority."""

    adjudication = models.ForeignKey(Adjudication, on_delete=models.PROTECT, related_name="labels")
    stage = models.CharField(max_length=64)
    label = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["adjudication", "stage"], name="adjudicated_label_once_a_stage"),
        ]
