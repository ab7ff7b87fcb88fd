"""Store the loop of active learning: rounds, their files, and batches with their items."""

from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import FileModel, PublicModel
from annotation_app.models.codebook import CodebookVersion
from annotation_app.models.corpus import Item
from annotation_app.models.leases import LeasedModel
from annotation_app.models.people import Membership
from annotation_app.models.project import Project
from annotation_app.models.test_sets import TestSet


class Round(PublicModel, LeasedModel):
    """Store one round of active learning: the admin's request, the job for the model worker, and its results."""

    class State(models.TextChoices):
        DRAFT = "draft"
        TRAINING = "training"
        SCORING = "scoring"
        SELECTING = "selecting"
        ANNOTATING = "annotating"
        COMPLETE = "complete"
        FAILED = "failed"
        CANCELLED = "cancelled"

    # Stands in place of a strategy's name where an admin chose the items.
    CHOSEN = "chosen"
    TASK, QUEUE = "al_worker.tasks.run_round", "models"
    WORKING_STATES = (State.DRAFT, State.TRAINING, State.SCORING, State.SELECTING)
    # A lower limit would fail rounds on a machine that restarts.
    MOST_ATTEMPTS = 10
    REMEDY = "Restart the round once the reason is gone, or cancel it."
    # A failed round stays the active one until it is restarted or cancelled.
    ACTIVE_STATES = (*WORKING_STATES, State.ANNOTATING, State.FAILED)
    # Such a round has read the pool, or continues after a restart with what it read. It may still select those items.
    CHOOSING_STATES = (*WORKING_STATES, State.FAILED)

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="rounds")
    # People see numbers from 1; the run directory's number counts from 0.
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
    # Keys of one or more stages, in the codebook's order. `combine` joins their scores ("sum" or "max").
    learning_stages = models.JSONField()
    combine = models.CharField(max_length=8, default="sum")
    # The share of the batch that is drawn uniformly, from 0 to 1; and whether each text may occur only once in it.
    random_share = models.FloatField(default=0.0)
    no_duplicate_texts = models.BooleanField(default=False)
    # Replaces the recipe's learning rate; null keeps the recipe's.
    learning_rate = models.FloatField(null=True, blank=True)
    annotators_per_item = models.PositiveSmallIntegerField()
    annotators = models.ManyToManyField(Membership, related_name="rounds")
    # {membership's UUID: parts} where the batch is dealt out; empty where whoever asks first gets a slot.
    shares = models.JSONField(default=dict, db_default={})
    # Where its check items come from, and how many there are, in percent of its items; null for none.
    check_practice = models.ForeignKey(
        "Practice", on_delete=models.SET_NULL, null=True, blank=True, related_name="checked_rounds"
    )
    check_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="rounds")

    # [[item id, {stage: label}], ...], frozen when the round starts, with its SHA-256.
    training_set = models.JSONField(default=list)
    training_set_hash = models.CharField(max_length=64, blank=True, default="")
    # Which labels the training set was made from: majorities of the independent answers (1) or of the revised ones
    # (2), and whether adjudicated labels replace them.
    label_phase = models.PositiveSmallIntegerField(default=1)
    use_adjudicated = models.BooleanField(default=False)
    # The test set that its model is measured on: the one attached when the round started.
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
            # When two admins start a round at once, the database accepts one.
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(state__in=["draft", "training", "scoring", "selecting", "annotating", "failed"]),
                name="round_one_active",
            ),
        ]

    def shares_of(self, annotators: Iterable[Membership]) -> dict[UUID, int]:
        """Return the shares of those who are left of the round's annotators; none where nothing is dealt out."""
        return {each.uuid: self.shares[str(each.uuid)] for each in annotators} if self.shares else {}


class RoundFile(FileModel):
    """Store where a round's file is in the storage, such as the pool's scores or the run directory's record."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=100)
    path = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "name"], name="round_file_once")]


USUAL_PRIORITY = 5


class Batch(PublicModel):
    """Store items opened together. A batch is complete when its assignments are done; this is never stored."""

    class Kind(models.TextChoices):
        ROUND = "round"
        PROTOTYPE = "prototype"
        PRACTICE = "practice"
        SECOND_LOOK = "second_look"
        # Items that an admin chose, outside the rounds.
        CHOSEN = "chosen"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="batches")
    round = models.OneToOneField(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="batch")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.ROUND)
    number = models.PositiveIntegerField()
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="batches")
    annotators_per_item = models.PositiveSmallIntegerField()
    # For a second look: the batch whose disagreements it holds. That batch is frozen, so its annotations stay.
    second_look_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="second_look"
    )
    # How often a person was added after the opening, so that items may have more people than slots.
    people_added = models.PositiveSmallIntegerField(default=0, db_default=0)
    # Of a person's open batches the one with the lowest number is handed out first, and of equal ones the oldest.
    priority = models.PositiveSmallIntegerField(default=USUAL_PRIORITY, db_default=USUAL_PRIORITY)
    # Only for a batch drawn outside a round; a round has its own.
    random_state = models.BigIntegerField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    # Set when a later step froze the labels that it uses. No revision is accepted after that.
    frozen_at = models.DateTimeField(null=True, blank=True)
    # Set when an admin closed the batch early. Open assignments were withdrawn; given answers may still be revised.
    closed_at = models.DateTimeField(null=True, blank=True)
    # The setting in force of what annotators see of a model; null where none was ever made.
    suggestions = models.ForeignKey(
        "SuggestionSetting", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

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
    """Store an item of a batch. `rank` is its place in the order of selection; `score` is null without a score."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="batch_items")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="batch_items")
    rank = models.PositiveIntegerField()
    score = models.FloatField(null=True, blank=True)
    # It has a known answer, and what people answer to it is no data: its annotators are not told.
    is_check = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "item"], name="batch_item_once"),
            models.UniqueConstraint(fields=["batch", "rank"], name="batch_rank_once"),
        ]
