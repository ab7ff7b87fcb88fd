"""Store projects, which contain everything else."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel, StartedModel

if TYPE_CHECKING:
    from annotation_app.models.people import User


class Project(PublicModel, StartedModel):
    """Store a project. `annotation_budget` counts items issued in round batches; null means no budget."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    annotation_budget = models.PositiveIntegerField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    # Who answers for the project since it was transferred; null: who created it.
    transferred_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # Imported columns that people see beside a text. Each is a JSON array of names (`ingest/columns.py`).
    shown_columns = ArrayField(models.TextField(), default=list, blank=True)
    # The project is read-only from then on, until an admin restores it.
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["created_by", "client_id"], name="project_client_id_once")]

    @property
    def owner(self) -> "User":
        """Return who answers for the project."""
        return self.transferred_to or self.created_by


class ProjectDeletion(models.Model):
    """Store that an admin asked to delete a project.

    The project is archived, and purged with everything in it after `purge_after`. A trigger keeps at least 23 hours
    between `asked_at` and `purge_after`. The application's database role cannot change the row; it can only delete it
    to take the request back.
    """

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="deletion")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    purge_after = models.DateTimeField()
