"""The loop as rows."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.codebook import CodebookVersion
from annotation_app.models.corpus import Item
from annotation_app.models.evaluation import TestSet
from annotation_app.models.leases import LeasedModel
from annotation_app.models.people import Membership
from annotation_app.models.project import Project


class Round(PublicModel, LeasedModel):
    class State(models.TextChoices):
        DRAFT = "draft"
        TRAINING = "training"
        SCORING = "scoring"
        SELECTING = "selecting"
        ANNOTATING = "annotating"
        COMPLETE = "complete"
        FAILED = "failed"
        CANCELLED = "cancelled"

    WORKING_STATES = (State.DRAFT, State.TRAINING, State.SCORING, State.SELECTING)
    # A failed round holds its place until it is restarted or cancelled.
    ACTIVE_STATES = (*WORKING_STATES, State.ANNOTATING, State.FAILED)
    # It has read the pool, or goes on after a restart with what it read: it may choose what stands there now.
    CHOOSING_STATES = (*WORKING_STATES, State.FAILED)

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="rounds")
    # Counts from 1 for people; the run directory's number counts from 0.
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    failed_step = models.CharField(max_length=20, blank=True, default="")
    failure = models.TextField(blank=True, default="")

    strategy_asked = models.CharField(max_length=40)
    strategy_used = models.CharField(max_length=40, blank=True, default="")
    allowed_alternative = models.CharField(max_length=40, blank=True, default="")
    options = models.JSONField(default=dict)
    query_size = models.PositiveIntegerField()
    random_state = models.BigIntegerField()
    model = models.CharField(max_length=300)
    # Keys of one stage or more, in the codebook's order; `combine` joins their scores ("sum" or "max").
    learning_stages = models.JSONField()
    combine = models.CharField(max_length=8, default="sum")
    # Part of the batch that is drawn uniformly, 0 to 1; and whether two items of one text may be in it.
    random_share = models.FloatField(default=0.0)
    no_duplicate_texts = models.BooleanField(default=False)
    # In place of the recipe's; null is the recipe's.
    learning_rate = models.FloatField(null=True, blank=True)
    annotators_per_item = models.PositiveSmallIntegerField()
    annotators = models.ManyToManyField(Membership, related_name="rounds")
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="rounds")

    # [[item id, {stage: label}], ...] frozen when the round starts, with its sha256.
    training_set = models.JSONField(default=list)
    training_set_hash = models.CharField(max_length=64, blank=True, default="")
    # Which labels it was made from: majorities of the independent answers (1) or of those after second looks (2), and
    # whether what was adjudicated goes before them.
    label_phase = models.PositiveSmallIntegerField(default=1)
    use_adjudicated = models.BooleanField(default=False)
    # What its model is measured on: the one that was attached when the round started.
    test_set = models.ForeignKey(TestSet, on_delete=models.PROTECT, null=True, blank=True, related_name="rounds")
    progress = models.JSONField(default=dict)
    notices = models.JSONField(default=list)
    metrics = models.JSONField(default=dict)
    timings = models.JSONField(default=dict)
    record = models.JSONField(default=dict)

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="round_number_once"),
            # Two admins who press start at once: the database lets one through.
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(state__in=["draft", "training", "scoring", "selecting", "annotating", "failed"]),
                name="round_one_active",
            ),
        ]


class RoundFile(PublicModel):
    """What a round leaves in the storage: the pool's scores, the run directory's record."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=100)
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "name"], name="round_file_once")]


class Batch(PublicModel):
    """Items opened together. A batch is complete when its assignments are done: derived, never stored."""

    class Kind(models.TextChoices):
        ROUND = "round"
        PROTOTYPE = "prototype"
        PRACTICE = "practice"
        SECOND_LOOK = "second_look"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="batches")
    round = models.OneToOneField(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="batch")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.ROUND)
    number = models.PositiveIntegerField()
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="batches")
    annotators_per_item = models.PositiveSmallIntegerField()
    # Of a second look: the batch whose disagreements it holds. That one is frozen: its annotations stay as they are.
    second_look_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="second_look"
    )
    # Of a batch drawn outside a round; a round has its own.
    random_state = models.BigIntegerField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    # Set when the next round froze the labels it trains on: no revision is taken after that.
    frozen_at = models.DateTimeField(null=True, blank=True)
    # Ended by an admin with what was there: what was not answered is withdrawn, what was may still be revised.
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "number"], name="batch_number_once"),
            models.CheckConstraint(
                condition=models.Q(kind="second_look", second_look_of__isnull=False)
                | (~models.Q(kind="second_look") & models.Q(second_look_of__isnull=True)),
                name="second_look_is_of_a_batch",
            ),
        ]


class BatchItem(models.Model):
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="batch_items")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="batch_items")
    rank = models.PositiveIntegerField()
    score = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "item"], name="batch_item_once"),
            models.UniqueConstraint(fields=["batch", "rank"], name="batch_rank_once"),
        ]
