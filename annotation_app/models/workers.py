"""Workers show that they live by writing here every two seconds; no message is needed to ask them."""

from django.db import models


class WorkerBeat(models.Model):
    name = models.CharField(max_length=200, unique=True)
    queue = models.CharField(max_length=40)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["queue", "-seen_at"], name="beat_by_queue")]
