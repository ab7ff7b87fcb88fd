"""The top container."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel


class Project(PublicModel):
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    annotation_budget = models.PositiveIntegerField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    # What people see beside a text of the columns that came with it: JSON arrays of names (`ingest/columns.py`).
    shown_columns = ArrayField(models.TextField(), default=list, blank=True)
    # Read only from then on, until an admin restores it.
    archived_at = models.DateTimeField(null=True, blank=True)


class ProjectDeletion(models.Model):
    """A project that an admin asked to delete: it is archived, and purged with all it holds once `purge_after` is past.

    A trigger keeps at least a day between the two, and the application's role cannot change the row: only take it back.
    """

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="deletion")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    purge_after = models.DateTimeField()
