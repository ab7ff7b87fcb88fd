"""People, and what they are in a project. People are deactivated, never deleted."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.project import Project


class User(PublicModel, AbstractUser):
    display_name = models.CharField(max_length=150, blank=True, default="")
    can_create_projects = models.BooleanField(default=False)

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class Role(models.TextChoices):
    ADMIN = "admin"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


class Membership(PublicModel):
    """One role a person and project. `number` is the person's pseudonym in exports: annotator 1..k."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    number = models.PositiveIntegerField()
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once_a_project"),
            models.UniqueConstraint(fields=["project", "number"], name="membership_number_once"),
        ]


class Invite(PublicModel):
    """A link that lets one person in. Only the token's hash is kept."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="invites")
    role = models.CharField(max_length=20, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
