"""Define what several models share."""

import uuid

from django.contrib.postgres.functions import RandomUUID
from django.db import models


class PublicModel(models.Model):
    """Give each row a UUID for use outside, because serial ids would reveal how many rows others have."""

    uuid = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), unique=True, editable=False)

    class Meta:
        abstract = True
