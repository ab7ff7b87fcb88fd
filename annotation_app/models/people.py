"""Store people, their roles in projects, and how they sign in. People are deactivated, never deleted."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from annotation_app.models.base import PublicModel, StartedModel
from annotation_app.models.names import PeopleManager, key_of
from annotation_app.models.project import Project
from annotation_app.models.roles import CAPABILITIES, SCOPES, Capability, Role, Scope, roles_with


class User(PublicModel, AbstractUser):
    """Store a person with an account."""

    class NoticeMails(models.TextChoices):
        OFF = "off"
        DAILY = "daily"
        # At most one an hour.
        AT_ONCE = "at_once"

    display_name = models.CharField(max_length=150, blank=True, default="")
    # In which pages show times; empty: in each project's own.
    time_zone = models.CharField(max_length=64, blank=True, default="")
    can_create_projects = models.BooleanField(default=False)
    # How often what waits is mailed to the confirmed address, and when it is looked for next.
    notice_mails = models.CharField(max_length=10, choices=NoticeMails.choices, default=NoticeMails.DAILY)
    notices_due_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(key_of("username"), name="user_name_once"),
            # It holds confirmed addresses only (projects/addresses.py).
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="user_address_once"),
        ]

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class Memberships(models.QuerySet["Membership"]):
    """Query memberships."""

    def active_with(self, capability: Capability) -> "Memberships":
        """Return the active members whose role has the capability."""
        return self.filter(is_active=True, role__in=roles_with(capability))


class Membership(PublicModel):
    """Give a person one role in a project. `number` is the person's pseudonym in exports: annotator 1 to k."""

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
        """Return whether the member's role has the capability, and the scope of the request's token, if it has one.

        Whether the membership is active is not checked.
        """
        return capability in CAPABILITIES[Role(self.role)] & SCOPES[self.scope]

    @property
    def scope(self) -> Scope:
        """Return the scope of the token that the request came with (`api/access.py`); people may all that they may."""
        return Scope(getattr(self, "token_scope", Scope.MANAGE))

    def capabilities(self) -> list[str]:
        return sorted(each for each in Capability if self.may(each))


class Invite(PublicModel, StartedModel):
    """Store a link that admits one person to the project. Only the token's hash is kept."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="invites")
    role = models.CharField(max_length=20, choices=Role.choices)
    # Says whom the link is for, so that admins can tell links apart.
    note = models.CharField(max_length=200, blank=True, default="")
    # Whose confirmed address may accept it; the link is sent there and shown to nobody. Empty: whoever has the link.
    address = models.EmailField(blank=True, default="")
    mailed_at = models.DateTimeField(null=True, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "client_id"], name="invite_client_id_once")]


class ApiToken(PublicModel):
    """Store a token with which a person's scripts reach one project. Only its hash is kept."""

    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="api_tokens")
    # Says what it is for, so that people can tell tokens apart.
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=10, choices=Scope.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)


class Session(PublicModel, AbstractBaseSession):
    """Store a sign-in on one device. `expire_date` is the end of the idle or absolute limit, whichever is earlier."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    # The browser's own description of itself.
    agent = models.CharField(max_length=300, blank=True, default="")
    signed_in_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)


class Identity(models.Model):
    """Store by which account of an OpenID Connect provider a person signs in: the provider's issuer and its subject."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    # As the provider called the person when it was linked, for the page Your account.
    name = models.CharField(max_length=254, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="identity_once"),
            models.UniqueConstraint(fields=["user", "issuer"], name="identity_once_a_person"),
        ]


class FirstLink(models.Model):
    """Store a link that lets one person make an installation's first account. Only the token's hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)


class PasswordLink(PublicModel):
    """Store a link that lets one person choose a new password, once. Only the token's hash is kept."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="password_links")
    token_hash = models.CharField(max_length=64, unique=True)
    # Null where whoever runs the server made the link.
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
