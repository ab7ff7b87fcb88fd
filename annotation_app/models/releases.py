"""Store releases of the dataset with their cards, and an admin's answers for the datasheet."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.leases import LeasedModel
from annotation_app.models.project import Project


class DatasheetAnswer(models.Model):
    """Store an admin's answer to one question of the datasheet. What can be computed is not stored here."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="datasheet")
    # The key of a question in `releases/questions.json`.
    question = models.CharField(max_length=64)
    text = models.TextField(blank=True, default="")
    # Counts from 1 and grows with each save. A save that was based on another revision is refused.
    revision = models.PositiveIntegerField(default=1)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "question"], name="datasheet_question_once")]


class Release(PublicModel, LeasedModel):
    """Store one numbered folder of files. Once the release is done, the database refuses any change to it."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    TASK, QUEUE = "annotation_app.jobs.release_run", "light"
    WORKING_STATES = (State.QUEUED, State.RUNNING)
    TAKEN_STATE = State.RUNNING

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    # Counts from 1 within the project. A failed release keeps its number.
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    notes = models.TextField(blank=True, default="")
    # Numbers of the evaluations whose figures, tables and predictions go into the folder.
    evaluations = models.JSONField(default=list)
    # Ids of the text sets that go into the folder with their factoids.
    text_sets = models.JSONField(default=list)
    progress = models.JSONField(default=dict)
    failure = models.TextField(blank=True, default="")
    # SHA-256 of the folder's SHA256SUMS. That file lists every data file, but not the card, which quotes this hash.
    content_hash = models.CharField(max_length=64, blank=True, default="")
    # One entry for each file of the folder, in its order: {"path", "bytes", "sha256", "lines" or null}.
    files = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    card = models.TextField(blank=True, default="")
    # The folder as one ZIP file: its name in the storage, its size in bytes and its hash.
    path = models.CharField(max_length=500, blank=True, default="")
    size = models.BigIntegerField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="release_number_once")]
