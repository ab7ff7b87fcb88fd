"""Store what people label: annotations as append-only revisions, and answers as rows."""

from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.codebook import CodebookVersion
from annotation_app.models.people import Membership
from annotation_app.models.rounds import BatchItem


class Assignment(PublicModel):
    """Assign an item of a batch to one annotator. A slot (1 to annotators_per_item) is taken with the claim."""

    class State(models.TextChoices):
        OPEN = "open"
        CLAIMED = "claimed"
        SUBMITTED = "submitted"
        SKIPPED = "skipped"
        WITHDRAWN = "withdrawn"
        SURPLUS = "surplus"

    DONE_STATES = (State.SUBMITTED, State.SKIPPED)

    batch_item = models.ForeignKey(BatchItem, on_delete=models.PROTECT, related_name="assignments")
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN)
    # Each annotator has an order of their own: the rank of sha256(batch:annotator:item).
    position = models.PositiveIntegerField()
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    # When others' answers to the item were revealed to this annotator. No revision is accepted after that.
    answers_revealed_at = models.DateTimeField(null=True, blank=True)
    # When a model's prediction was shown to this annotator after their own answer.
    suggestions_shown_at = models.DateTimeField(null=True, blank=True)
    # `handed_to` got the item when it was taken from this annotator. `added`: it came after the batch opened.
    handed_to = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    added = models.BooleanField(default=False)
    # Withdrawn when an admin took this annotator off the batch, so that only an admin puts them back.
    taken_off = models.BooleanField(default=False, db_default=False)
    current = models.OneToOneField(
        "Annotation", on_delete=models.PROTECT, null=True, blank=True, related_name="current_for"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch_item", "annotator"], name="assignment_once"),
            models.UniqueConstraint(
                fields=["batch_item", "slot"], condition=models.Q(slot__isnull=False), name="assignment_slot_once"
            ),
        ]
        indexes = [models.Index(fields=["annotator", "state", "position"], name="assignment_queue")]


class Annotation(PublicModel):
    """Store one revision of an annotation. Times are durations measured in the browser, in milliseconds."""

    class ContextOpened(models.TextChoices):
        SENTENCE = "sentence"
        UTTERANCE = "utterance"
        MINUS_5_SENTENCES = "minus_5_sentences"
        MINUS_200_TOKENS = "minus_200_tokens"

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="annotations")
    revision = models.PositiveIntegerField()
    base_revision = models.PositiveIntegerField()
    client_id = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="+")
    comment = models.TextField(blank=True, default="")
    skip_reason = models.TextField(blank=True, default="")
    context_opened = models.CharField(max_length=20, choices=ContextOpened.choices)
    active_ms = models.PositiveIntegerField()
    wall_ms = models.PositiveBigIntegerField()
    # The batch's setting of suggestions when this was answered, and whether the annotator had them on the screen.
    suggestions = models.ForeignKey(
        "SuggestionSetting", on_delete=models.PROTECT, null=True, blank=True, related_name="annotations"
    )
    suggestions_shown = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "revision"], name="annotation_revision_once"),
            models.UniqueConstraint(fields=["assignment", "client_id"], name="annotation_client_id_once"),
        ]


class Answer(models.Model):
    """Store the label of one open stage. Closed stages have no row, so no statement has to evaluate a gate again."""

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="answers")
    stage = models.CharField(max_length=64)
    # A text of its question type, which says how long it may be.
    label = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotation", "stage"], name="answer_once_a_stage")]
