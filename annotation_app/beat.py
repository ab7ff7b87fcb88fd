"""A worker's main process shows every two seconds that it lives, and wakes what a dead one left behind."""

import ctypes
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from celery.signals import worker_process_init, worker_ready, worker_shutdown
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from annotation_app.models import WorkerBeat
from annotation_app.wake import wake

logger = logging.getLogger(__name__)

# (id, attempt) of jobs that wait for a worker.
Sweep = Callable[[], Iterable[tuple[int, int]]]
WAKE_AGAIN_SECONDS = 30.0
HOUR_SECONDS = 3600.0
PR_SET_PDEATHSIG = 1


class Beat(threading.Thread):
    """Writes the worker's beat and sweeps its queue's jobs until it is stopped."""

    def __init__(self, queue: str, sweeps: Mapping[str, Sweep], hourly: Sequence[str] = ()) -> None:
        super().__init__(name=f"beat-{queue}", daemon=True)
        self.queue, self.sweeps, self.hourly = queue, sweeps, hourly
        self.hour = float("-inf")
        self.worker = f"{queue}@{socket.gethostname()}:{os.getpid()}"
        self.started_at = timezone.now()
        self.stopping = threading.Event()
        self.woken: dict[tuple[str, int, int], float] = {}

    def run(self) -> None:
        self.forget_the_dead()
        while not self.stopping.wait(settings.WORKER_BEAT_SECONDS):
            self.once()
        connection.close()

    def forget_the_dead(self) -> None:
        """A worker that was killed leaves its row behind; after a day nobody asks when it was seen."""
        try:
            long_ago = timezone.now() - timedelta(days=1)
            WorkerBeat.objects.filter(queue=self.queue, seen_at__lt=long_ago).delete()
        except Error as error:
            logger.warning("Old beats were not deleted: %s", error)
            connection.close()

    def once(self) -> None:
        """A database that is away makes a worker look dead, as it should; it beats again once it is back."""
        try:
            WorkerBeat.objects.update_or_create(
                name=self.worker,
                defaults={"queue": self.queue, "seen_at": timezone.now(), "started_at": self.started_at},
            )
            self.wake_waiting()
        except Error as error:
            logger.warning("No beat: %s", error)
            connection.close()

    def wake_waiting(self) -> None:
        now = time.monotonic()
        waiting = {(task, *job) for task, sweep in self.sweeps.items() for job in sweep()}
        self.woken = {job: at for job, at in self.woken.items() if job in waiting}
        if now - self.hour >= HOUR_SECONDS:
            self.hour = now
            for task in self.hourly:
                wake(task, 0, self.queue)
        for job in waiting:
            if now - self.woken.get(job, -WAKE_AGAIN_SECONDS) >= WAKE_AGAIN_SECONDS:
                self.woken[job] = now
                wake(job[0], job[1], self.queue)

    def stop(self) -> None:
        """Takes the beat back, so that a stopped worker is shown at once."""
        self.stopping.set()
        self.join(timeout=5)
        WorkerBeat.objects.filter(name=self.worker).delete()


def beat_attach(*, queue: str, sweeps: Mapping[str, Sweep], hourly: Sequence[str] = ()) -> None:
    """Makes every worker that loads the caller beat for its queue. `sweeps` finds the waiting jobs of each task.

    The tasks `hourly` are run when a worker begins, and every hour.
    """
    beats: list[Beat] = []

    def ready(**_: object) -> None:
        beat = Beat(queue, sweeps, hourly)
        beats.append(beat)
        beat.once()
        beat.start()

    def shutdown(**_: object) -> None:
        for beat in beats:
            beat.stop()

    def child_started(**_: object) -> None:
        # A child must not go on alone when its worker was killed.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    for source, receiver in ((worker_ready, ready), (worker_shutdown, shutdown), (worker_process_init, child_started)):
        source.connect(receiver, weak=False)
