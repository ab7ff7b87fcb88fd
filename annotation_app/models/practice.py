"""Store known answers, and the practice that annotators go through with them."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel, StartedModel
from annotation_app.models.people import Membership
from annotation_app.models.project import Project
from annotation_app.models.rounds import Batch, BatchItem


class KnownAnswer(models.Model):
    """Store the answer key of one item of a batch: {stage: answer} of the stages that are compared.

    `explanations` are by stage, and `explanation` is of all of them. `version` counts how often the key was written.
    What people answer to such an item is compared with it, and never counts as data (`rules.rated_annotation`).
    """

    batch_item = models.OneToOneField(BatchItem, on_delete=models.PROTECT, related_name="known_answer")
    answers = models.JSONField()
    explanation = models.TextField(blank=True, default="")
    explanations = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)


class Practice(PublicModel, StartedModel):
    """Store items with an answer key, which annotators answer to learn the codebook.

    Its `batch` holds the items and their keys and has no assignments. `pass_mark` is the share of items, in percent,
    that must be right. Nothing of it but `is_required` changes after `opened_at`.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="practices")
    number = models.PositiveIntegerField()
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="practice")
    title = models.CharField(max_length=100)
    pass_mark = models.PositiveSmallIntegerField()
    attempts = models.PositiveSmallIntegerField()
    # Only who passed may annotate a round.
    is_required = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)
    # From then on nobody begins an attempt.
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="practice_number_once"),
            models.UniqueConstraint(fields=["project", "client_id"], name="practice_client_id_once"),
        ]


class PracticeAddition(StartedModel):
    """Store that one sending added items to a practice, and how many: the same one adds no more."""

    practice = models.ForeignKey(Practice, on_delete=models.CASCADE, related_name="additions")
    added = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["practice", "client_id"], name="practice_addition_client_id_once")
        ]


class PracticeAttempt(models.Model):
    """Store one attempt of a person at a practice: a batch of its own, with copies of the keys.

    The batch is frozen once everything in it is answered.
    """

    practice = models.ForeignKey(Practice, on_delete=models.PROTECT, related_name="attempts_made")
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="practice_attempts")
    number = models.PositiveSmallIntegerField()
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="practice_attempt")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["practice", "annotator", "number"], name="practice_attempt_once")
        ]
