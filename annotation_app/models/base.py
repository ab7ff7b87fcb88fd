"""Define what several models share."""

import uuid

from django.contrib.postgres.functions import RandomUUID
from django.db import models


class PublicModel(models.Model):
    """Give each row a UUID for use outside, because serial ids would reveal how many rows others have."""

    uuid = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), unique=True, editable=False)

    class Meta:
        abstract = True


class FileModel(PublicModel):
    """Store where a file is in the storage. The name is unique among the files of its owner, which subclasses name."""

    name = models.CharField(max_length=300)
    path = models.CharField(max_length=700)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()

    class Meta:
        abstract = True


class StartedModel(models.Model):
    """Store which sending started a job: the same one starts no second (annotation_app/starts.py).

    Rows that no browser started have no `client_id`. `body_hash` is the SHA-256 of all else that was sent.
    """

    client_id = models.UUIDField(null=True, blank=True, editable=False)
    body_hash = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        abstract = True
