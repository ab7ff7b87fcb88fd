"""Keep the audit log: who did what, and when. Every service writes it in its own transaction; it never changes."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.project import Project


class Event(models.Model):
    """Store one line of the audit log."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, null=True, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=100, blank=True, default="")
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-id"], name="event_by_project"),
            models.Index(fields=["project", "subject"], name="event_by_subject"),
        ]


def event_write(
    *, verb: str, project: Project | None, actor_id: int | None, subject: object = "", **data: object
) -> None:
    """Add one line to the audit log, inside the caller's transaction."""
    Event.objects.create(project=project, actor_id=actor_id, verb=verb, subject=str(subject), data=data)
