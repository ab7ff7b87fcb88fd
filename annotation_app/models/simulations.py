"""Store simulations, which replay strategies on labelled data. The worker does them after the rounds."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import FileModel, PublicModel
from annotation_app.models.leases import LeasedModel
from annotation_app.models.project import Project


class Simulation(PublicModel, LeasedModel):
    """Store one simulation, which is a job for the model worker, with its request and its results."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    TASK, QUEUE = "al_worker.tasks.run_simulation", "models"
    WORKING_STATES = (State.WAITING, State.RUNNING)
    TAKEN_STATE = State.RUNNING
    REMEDY = "Perhaps it wants more memory: restart it with a smaller model or fewer processes."

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="simulations")
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    failure = models.TextField(blank=True, default="")
    # What is compared: strategies, models, seeds, batches. The bridge makes the core's configuration from it.
    config = models.JSONField(default=dict)
    # Where the texts came from, and how many of each label are for training and for testing.
    data = models.JSONField(default=dict)
    notices = models.JSONField(default=list)
    progress = models.JSONField(default=dict)
    # The learning curves so far, one for each cell. The whole results are in the storage.
    curves = models.JSONField(default=list)
    # Seconds per batch by model, and seconds per cell; the next simulation's estimate uses them.
    timings = models.JSONField(default=dict)
    # Counts from 1 and grows when the simulation is started anew. The worker's scratch folder is named by it.
    generation = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)


class SimulationFile(FileModel):
    """Store where a simulation's file is in the storage.

    The two data files are there from the start. Report, results, summary and plots are added at the end.
    """

    simulation = models.ForeignKey(Simulation, on_delete=models.PROTECT, related_name="files")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["simulation", "name"], name="simulation_file_once")]
