"""Store imports. Each has one file, one job and one report."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.leases import LeasedModel
from annotation_app.models.project import Project


class Import(PublicModel, LeasedModel):
    """Store one import, which the light worker runs as a job, or a command runs by itself."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    TASK, QUEUE = "annotation_app.jobs.import_run", "light"
    WORKING_STATES = (State.QUEUED, State.RUNNING)
    TAKEN_STATE = State.RUNNING

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="imports")
    # The file's name in the storage; empty where the command line read a file in place.
    file = models.CharField(max_length=500, blank=True, default="")
    filename = models.TextField()
    format = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    progress = models.JSONField(default=dict)
    report = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    # From then on its items, documents and sources are gone. The row stays as the record of what was done.
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
