"""Store evaluations of systems against people's labels: their gold labels, predictions, prompts and error causes."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import FileModel, PublicModel, StartedModel
from annotation_app.models.codebook import CodebookVersion
from annotation_app.models.corpus import Item
from annotation_app.models.leases import LeasedModel
from annotation_app.models.people import Membership
from annotation_app.models.project import Project

# Characters of a name that a server gives itself.
SERVER_NAME = 300


class PromptVersion(models.Model):
    """Store one version of a stage's prompt template. A saved version is never changed."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="prompt_versions")
    stage = models.CharField(max_length=64)
    # Counts from 1 within the project and stage; 0 stands for the default, which has no row.
    number = models.PositiveIntegerField()
    template = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "stage", "number"], name="prompt_version_once")]


class LanguageModelApproval(models.Model):
    """Store that an admin lets the project's texts go to one language model at one destination.

    An operator who points the model elsewhere makes a new destination, which is approved anew.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="language_model_approvals")
    # The name of the model in the operator's file, and the host that texts are sent to.
    model = models.CharField(max_length=100)
    destination = models.CharField(max_length=300)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "model", "destination"], name="language_model_approved_once")
        ]


class Evaluation(PublicModel, StartedModel, LeasedModel):
    """Store one evaluation, which is a job for the model worker, with its request and its progress."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    TASK, QUEUE = "al_worker.tasks.run_evaluation", "models"
    WORKING_STATES = (State.WAITING, State.RUNNING)
    TAKEN_STATE = State.RUNNING
    # States from which a person may let it go on with the answers that are there.
    STOPPED_STATES = (State.PAUSED, State.FAILED, State.CANCELLED)
    REMEDY = "Perhaps it wants more memory: start it again with a smaller model."

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="evaluations")
    # Counts from 1 within the project.
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    failure = models.TextField(blank=True, default="")
    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="+")
    # The request: systems, stages, gold, folds, seed, and each stage's prompt as text with its version.
    spec = models.JSONField(default=dict)
    # What was left out and why: {stage: {reason: items}}.
    left_out = models.JSONField(default=dict)
    progress = models.JSONField(default=dict)
    notices = models.JSONField(default=list)
    # An admin may let adjudicators see the predictions of these systems beside the votes.
    shown_to_adjudicators = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="evaluation_number_once"),
            models.UniqueConstraint(fields=["project", "client_id"], name="evaluation_client_id_once"),
        ]

    def title_of(self, name: str) -> str:
        """Return what people call one of the systems or stages."""
        return str(self.spec.get("titles", {}).get(name, name))


class GoldLabel(models.Model):
    """Store the label that an evaluation compares predictions with, as it stood when the evaluation was started."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="gold")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    stage = models.CharField(max_length=64)
    label = models.CharField(max_length=64)
    # Everybody who answered gave this label. Null where the gold's source does not tell.
    is_unanimous = models.BooleanField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "stage", "item"], name="gold_label_once")]


class Prediction(PublicModel):
    """Store what a system said of an item at a stage, the moment it arrived. It is never changed.

    `label` is null where the answer is not compliant; `problem` says why. Only language models have the fields from
    `prompt` on. An item without a gold label has predictions where the evaluation asks about the pool.
    """

    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="predictions")
    system = models.CharField(max_length=100)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    stage = models.CharField(max_length=64)
    label = models.CharField(max_length=64, null=True)
    confidence = models.FloatField(null=True)
    problem = models.CharField(max_length=40, blank=True, default="")
    explanation = models.TextField(blank=True, default="")
    prompt = models.TextField(blank=True, default="")
    raw = models.TextField(blank=True, default="")
    # The model's id as the server answered it, and the server's fingerprint of its configuration.
    model = models.CharField(max_length=SERVER_NAME, blank=True, default="")
    fingerprint = models.CharField(max_length=SERVER_NAME, blank=True, default="")
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "system", "stage", "item"], name="prediction_once"),
            models.CheckConstraint(
                condition=models.Q(confidence__isnull=True) | models.Q(confidence__gte=0, confidence__lte=1),
                name="prediction_confidence_is_a_share",
            ),
        ]


class EvaluationFile(FileModel):
    """Store where an evaluation's file is in the storage: figures, tables, plots, predictions."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="files")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evaluation", "name"], name="evaluation_file_once")]


class ErrorCause(PublicModel):
    """Store a cause of errors, in the words of the project's people (OP-FED, Table 13)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="error_causes")
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="error_cause_once")]


class ErrorMark(models.Model):
    """Store that a person named the cause of a wrong prediction. The latest counts; one without a cause takes it back.

    Rows are only added, so that naming, changing and undoing stay on record.
    """

    prediction = models.ForeignKey(Prediction, on_delete=models.PROTECT, related_name="marks")
    cause = models.ForeignKey(ErrorCause, on_delete=models.PROTECT, null=True, related_name="marks")
    marked_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    marked_at = models.DateTimeField(default=timezone.now)
