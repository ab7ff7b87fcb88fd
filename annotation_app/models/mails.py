"""Store mails that wait to be sent, and links that confirm somebody's address."""

from django.db import models
from django.utils import timezone

from annotation_app.models.people import User


class Mail(models.Model):
    """Store a mail until some days after it was sent (QUORUM_MAILS_DAYS).

    Mails with links are written as they are sent: no row has a link.
    """

    TASK = "annotation_app.jobs.mail_send"

    class Purpose(models.TextChoices):
        TEXT = "text"
        PASSWORD = "password"
        ADDRESS = "address"
        INVITATION = "invitation"

    purpose = models.CharField(max_length=20, choices=Purpose.choices)
    address = models.EmailField()
    # Whose address is to be confirmed.
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    # The invitation that it brings. It may be deleted, with its project, before the mail is.
    invite_id = models.BigIntegerField(null=True)
    subject = models.CharField(max_length=200, blank=True, default="")
    text = models.TextField(blank=True, default="")
    # Where this installation stands, as whoever asked for the mail reached it: "https://example.org/quorum/".
    origin = models.CharField(max_length=500, blank=True, default="")
    asked_from = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    # When it was sent or, with a problem, given up.
    ended_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(ended_at=None), name="mail_waiting"),
            models.Index(fields=["created_at"], name="mail_by_time"),
        ]


class AddressLink(models.Model):
    """Store a link that confirms one person's mail address, once. Only the token's hash is kept."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="address_links")
    address = models.EmailField()
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
