"""Store the heartbeats that workers write every two seconds, so that nobody has to send them a message to check."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

# A little more than three heartbeats: a stopped worker is shown within seconds, and a busy one not as stopped.
ALIVE_SECONDS = 8.0
NAMES = {"models": "model worker", "light": "light worker"}


class WorkerBeat(models.Model):
    """Store a worker process's last heartbeat. The process deletes the row when it stops properly."""

    name = models.CharField(max_length=200, unique=True)
    queue = models.CharField(max_length=40)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["queue", "-seen_at"], name="beat_by_queue")]

    @classmethod
    def seen_seconds_ago(cls, queue: str) -> float | None:
        """Return the age in seconds of the queue's last heartbeat, or None where none was ever seen."""
        last = cls.objects.filter(queue=queue).aggregate(last=models.Max("seen_at"))["last"]
        return None if last is None else max(0.0, (timezone.now() - last) / timedelta(seconds=1))

    @classmethod
    def down_text(cls, queue: str, then: str) -> str:
        """Return a sentence that the queue's worker does not run: start it, then `then`. Empty where one runs."""
        if cls.alive(queue):
            return ""
        age = cls.seen_seconds_ago(queue)
        seen = "it was never seen" if age is None else f"last seen {age:.0f} seconds ago"
        return f"The {NAMES[queue]} does not run ({seen}): start it, then {then}."

    @classmethod
    def alive(cls, queue: str) -> bool:
        """Return whether a worker of the queue wrote a heartbeat within the last `ALIVE_SECONDS`."""
        age = cls.seen_seconds_ago(queue)
        return age is not None and age <= ALIVE_SECONDS
