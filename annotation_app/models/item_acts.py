"""Store what admins did with many items at once. Rows are append-only, and each is one line of the items' history."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel, StartedModel
from annotation_app.models.project import Project
from annotation_app.models.rounds import Batch


class ItemAct(PublicModel, StartedModel):
    """Store one act on many items; `items` are their ids, also of those that an undone import has removed since."""

    class Kind(models.TextChoices):
        LEAVE_OUT = "leave_out"
        TAKE_BACK = "take_back"
        OPEN_BATCH = "open_batch"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="item_acts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    items = ArrayField(models.BigIntegerField())
    reason = models.TextField(blank=True, default="")
    # The batch that was opened outside the rounds.
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "client_id"], name="item_act_client_id_once")]
