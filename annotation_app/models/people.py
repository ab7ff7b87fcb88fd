"""People, what they are in a project, and how they sign in. People are deactivated, never deleted."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.names import PeopleManager, key_of
from annotation_app.models.project import Project
from annotation_app.models.roles import CAPABILITIES, Capability, Role, roles_with


class User(PublicModel, AbstractUser):
    display_name = models.CharField(max_length=150, blank=True, default="")
    can_create_projects = models.BooleanField(default=False)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        constraints = [models.UniqueConstraint(key_of("username"), name="user_name_once")]

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class Memberships(models.QuerySet["Membership"]):
    def active_with(self, capability: Capability) -> "Memberships":
        """Return the live members whose role has the capability."""
        return self.filter(is_active=True, role__in=roles_with(capability))


class Membership(PublicModel):
    """One role a person and project. `number` is the person's pseudonym in exports: annotator 1..k."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    number = models.PositiveIntegerField()
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = Memberships.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once_a_project"),
            models.UniqueConstraint(fields=["project", "number"], name="membership_number_once"),
        ]

    def may(self, capability: Capability) -> bool:
        """Tell whether the member's role has the capability; says nothing of whether the membership is active."""
        return capability in CAPABILITIES[Role(self.role)]


class Invite(PublicModel):
    """A link that lets one person in. Only the token's hash is kept."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="invites")
    role = models.CharField(max_length=20, choices=Role.choices)
    # Whom the link is for, so that admins can tell links apart.
    note = models.CharField(max_length=200, blank=True, default="")
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)


class Session(PublicModel, AbstractBaseSession):
    """A sign-in on one device. `expire_date` is the earlier end of the idle and the absolute limit."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    # As the browser names itself.
    agent = models.CharField(max_length=300, blank=True, default="")
    signed_in_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)


class PasswordLink(PublicModel):
    """A link that lets one person choose a new password, once. Only the token's hash is kept."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="password_links")
    token_hash = models.CharField(max_length=64, unique=True)
    # Null: whoever runs the server made it.
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
