"""Store equivalence classes (Marfurt et al. 2022, 3): evaluations, their revisions, reviews, and vectors of strings."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.leases import LeasedModel
from annotation_app.models.project import Project


class EquivalenceEvaluation(PublicModel):
    """Store one evaluation: a category, the part of its spans that is tested, and classes of strings.

    What it holds stands in its latest revision. An evaluation that was removed is kept for what used it.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="equivalence_evaluations")
    # Orders the project's evaluations, as the file does that they came from.
    position = models.PositiveIntegerField()
    # The number of the latest revision. It is here so that a save can lock one row and compare.
    revision = models.PositiveIntegerField(default=0)
    removed_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)


class EquivalenceRevision(models.Model):
    """Store all that an evaluation held after one change. A revision is never changed.

    `content` is {"annotation", "evaluation", "part", "in_depth", "classes": [{"key", "name", "members": [text]}]}. A
    class keeps its key through all revisions.
    """

    evaluation = models.ForeignKey(EquivalenceEvaluation, on_delete=models.PROTECT, related_name="revisions")
    # Counts from 1 within the evaluation.
    number = models.PositiveIntegerField()
    client_id = models.UUIDField()
    content = models.JSONField()
    # What was done, in words for the log.
    action = models.CharField(max_length=200)
    # The revision that an undo goes back to; null where there is nothing to undo.
    undo_to = models.PositiveIntegerField(null=True, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "number"], name="equivalence_revision_once"),
            models.UniqueConstraint(fields=["evaluation", "client_id"], name="equivalence_client_id_once"),
        ]


class EquivalenceReview(models.Model):
    """Store that a senior person validated or returned a class, as it stood in a revision. The latest counts."""

    class Decision(models.TextChoices):
        VALIDATED = "validated"
        RETURNED = "returned"
        TAKEN_BACK = "taken_back"

    evaluation = models.ForeignKey(EquivalenceEvaluation, on_delete=models.PROTECT, related_name="reviews")
    class_key = models.UUIDField()
    revision = models.PositiveIntegerField()
    client_id = models.UUIDField()
    decision = models.CharField(max_length=20, choices=Decision.choices)
    note = models.TextField(blank=True, default="")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "client_id"], name="equivalence_review_client_id_once")
        ]


class StringVectors(PublicModel, LeasedModel):
    """Store a job that finds, with an encoder's vectors, which strings of a category and part are alike."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    TASK, QUEUE = "al_worker.tasks.run_string_vectors", "models"
    WORKING_STATES = (State.WAITING, State.RUNNING)
    TAKEN_STATE = State.RUNNING
    REMEDY = "Suggestions by shared words need no model."

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="string_vectors")
    category = models.CharField(max_length=64)
    part = models.CharField(max_length=20)
    encoder = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    failure = models.TextField(blank=True, default="")
    # The strings, and for each the numbers of the nearest ones with their cosine: [[[number, cosine]]].
    strings = models.JSONField(default=list)
    nearest = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
