"""Write a worker's heartbeat every two seconds, and enqueue the jobs that a dead worker left behind."""

import ctypes
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from celery.signals import worker_process_init, worker_ready, worker_shutdown
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from annotation_app.enqueue import enqueue
from annotation_app.models import WorkerBeat

logger = logging.getLogger(__name__)

# Returns (id, attempt) of the jobs that wait for a worker.
Sweep = Callable[[], Iterable[tuple[int, int]]]
ENQUEUE_AGAIN_SECONDS = 30.0
HOUR_SECONDS = 3600.0
PR_SET_PDEATHSIG = 1


class Heartbeat(threading.Thread):
    """Write the worker's heartbeat and sweep its queue's jobs until the thread is stopped."""

    def __init__(self, queue: str, sweeps: Mapping[str, Sweep], regular: Mapping[str, float] | None = None) -> None:
        super().__init__(name=f"heartbeat-{queue}", daemon=True)
        self.queue, self.sweeps, self.regular = queue, sweeps, regular or {}
        self.asked_at: dict[str, float] = {}
        self.worker = f"{queue}@{socket.gethostname()}:{os.getpid()}"
        self.started_at = timezone.now()
        self.stopping = threading.Event()
        self.enqueued_at: dict[tuple[str, int, int], float] = {}

    def run(self) -> None:
        self.delete_old_rows()
        while not self.stopping.wait(settings.WORKER_BEAT_SECONDS):
            self.once()
        connection.close()

    def delete_old_rows(self) -> None:
        """Delete rows of killed workers after a day, when nobody needs to know any more when one was last seen."""
        try:
            long_ago = timezone.now() - timedelta(days=1)
            WorkerBeat.objects.filter(queue=self.queue, seen_at__lt=long_ago).delete()
        except Error as error:
            logger.warning("Old heartbeats were not deleted: %s", error)
            connection.close()

    def once(self) -> None:
        """Write the heartbeat once, and enqueue waiting jobs. While the database is away the worker looks dead.

        It should look dead then, because it can do no work.
        """
        try:
            WorkerBeat.objects.update_or_create(
                name=self.worker,
                defaults={"queue": self.queue, "seen_at": timezone.now(), "started_at": self.started_at},
            )
            self.enqueue_waiting()
        except Error as error:
            logger.warning("No heartbeat was written: %s", error)
            connection.close()

    def enqueue_waiting(self) -> None:
        """Enqueue waiting jobs, each again after `ENQUEUE_AGAIN_SECONDS`, and regular tasks at their times."""
        now = time.monotonic()
        waiting = {(task, *job) for task, sweep in self.sweeps.items() for job in sweep()}
        self.enqueued_at = {job: at for job, at in self.enqueued_at.items() if job in waiting}
        for task, seconds in self.regular.items():
            if now - self.asked_at.get(task, float("-inf")) >= seconds:
                self.asked_at[task] = now
                # Behind a long job they would pile up: the next one does the same.
                enqueue(task, 0, self.queue, expires=seconds)
        for job in waiting:
            if now - self.enqueued_at.get(job, -ENQUEUE_AGAIN_SECONDS) >= ENQUEUE_AGAIN_SECONDS:
                self.enqueued_at[job] = now
                enqueue(job[0], job[1], self.queue)

    def stop(self) -> None:
        """Stop the thread and delete the heartbeat, so that the worker is shown as stopped at once."""
        self.stopping.set()
        self.join(timeout=5)
        WorkerBeat.objects.filter(name=self.worker).delete()


def heartbeat_attach(*, queue: str, sweeps: Mapping[str, Sweep], regular: Mapping[str, float] | None = None) -> None:
    """Start a heartbeat in every worker that imports the caller.

    `sweeps` maps each task to the function that finds its waiting jobs. The tasks in `regular` are enqueued when a
    worker begins, and then each time after so many seconds.
    """
    heartbeats: list[Heartbeat] = []

    def ready(**_: object) -> None:
        heartbeat = Heartbeat(queue, sweeps, regular)
        heartbeats.append(heartbeat)
        heartbeat.once()
        heartbeat.start()

    def shutdown(**_: object) -> None:
        for heartbeat in heartbeats:
            heartbeat.stop()

    def child_started(**_: object) -> None:
        # Otherwise a child would continue alone after its worker was killed.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    for source, receiver in ((worker_ready, ready), (worker_shutdown, shutdown), (worker_process_init, child_started)):
        source.connect(receiver, weak=False)
