"""What several nouns share."""

import uuid

from django.contrib.postgres.functions import RandomUUID
from django.db import models


class PublicModel(models.Model):
    """A row that is named outside: by UUID, since serial ids would tell how many rows others have."""

    uuid = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), unique=True, editable=False)

    class Meta:
        abstract = True


class LeasedModel(models.Model):
    """A job whose truth stands in this row: who works on it, until when, and the fencing token of every write."""

    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True
