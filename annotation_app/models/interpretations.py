"""Store interpretations: jobs that train models to interpret sources, let them generate, and test them."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import FileModel, PublicModel, StartedModel
from annotation_app.models.leases import LeasedModel
from annotation_app.models.project import Project


class Interpretation(PublicModel, StartedModel, LeasedModel):
    """Store one interpretation, which is a job for the model worker, with its request and its progress."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    TASK, QUEUE = "al_worker.tasks.run_interpretation", "models"
    WORKING_STATES = (State.WAITING, State.RUNNING)
    TAKEN_STATE = State.RUNNING
    # States from which a person may let it go on from its last checkpoint. A cancelled one has none any more.
    STOPPED_STATES = (State.PAUSED, State.FAILED)
    # States from which a person may remove it with all its files.
    ENDED_STATES = (State.DONE, State.FAILED, State.CANCELLED)
    REMEDY = "Perhaps it wants more memory: start it again with a smaller model or budget."

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="interpretations")
    # Counts from 1 within the project.
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    failure = models.TextField(blank=True, default="")
    # The request: data, systems with their models and filters, limits, seed, and the revisions of the evaluations.
    spec = models.JSONField(default=dict)
    # What of the data was left out and why: [{"reason", "n", "examples": [id]}].
    left_out = models.JSONField(default=list)
    progress = models.JSONField(default=dict)
    # The loss curves so far: {system: [{"epoch", "train_loss", "valid_loss", "learning_rate"}]}.
    curves = models.JSONField(default=dict)
    notices = models.JSONField(default=list)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="interpretation_number_once"),
            models.UniqueConstraint(fields=["project", "client_id"], name="interpretation_client_id_once"),
        ]


class InterpretationFile(FileModel):
    """Store where an interpretation's file is in the storage: its data from the start, its results at the end."""

    interpretation = models.ForeignKey(Interpretation, on_delete=models.PROTECT, related_name="files")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["interpretation", "name"], name="interpretation_file_once")]
