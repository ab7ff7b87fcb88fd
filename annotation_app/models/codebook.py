"""Store versions of codebooks, and the draft that admins write together.

The definition is data, which `annotation_app.codebook` checks.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.project import Project


class CodebookVersion(PublicModel):
    """Store one version of a project's codebook. Published versions never change."""

    class State(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="codebooks")
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    definition = models.JSONField()
    # Compared with the version published before; null for the first one.
    compatible = models.BooleanField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="codebook_version_once"),
            # Versions are ordered by this time, and PostgreSQL would sort one without it first.
            models.CheckConstraint(
                condition=models.Q(state="draft", published_at__isnull=True)
                | models.Q(state="published", published_at__isnull=False),
                name="codebook_published_has_its_moment",
            ),
        ]


class CodebookDraft(models.Model):
    """Store the text that a project's admins are writing, until it is saved as a version or discarded.

    The row stays: its `revision` counts every change, so that nobody's text replaces one that they have not seen.
    `text` is null while nothing is being written. It is JSON that need not be complete.
    """

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="codebook_draft")
    revision = models.PositiveIntegerField(default=0)
    text = models.TextField(null=True, blank=True)
    # The newest version and the one in force when it was begun, such as "3.2": what came since is not in the text.
    base = models.CharField(max_length=40, blank=True, default="")
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now)
