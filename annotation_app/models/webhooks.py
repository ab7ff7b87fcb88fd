"""Store where a project's events are sent, and each sending."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.project import Project


class Webhook(PublicModel):
    """Store an address that is told what happens in a project. `secret` signs what is sent, so it is no hash."""

    class Kind(models.TextChoices):
        BATCH_COMPLETE = "batch_complete"
        ROUND_DONE = "round_done"
        RELEASE_MADE = "release_made"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    # Values of Kind.
    kinds = models.JSONField()
    secret = models.CharField(max_length=100)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)


class Delivery(PublicModel):
    """Store one event that a webhook is told, until it is told or given up. Its uuid is the same at every attempt.

    What had happened before the webhook was made stands here as PAST, and is never sent.
    """

    TASK = "annotation_app.jobs.webhook_send"

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"
        PAST = "past"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    # What it tells of, such as "round_done UUID": nothing is told twice.
    key = models.CharField(max_length=100)
    body = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True, blank=True)
    # What the receiver answered at the last attempt; null where it did not answer.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="delivery_once")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="delivery_waiting")]
