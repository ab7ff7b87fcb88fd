"""Renew the lease of a long job, and report its progress."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import Error, connection

from annotation_app.models import Lease, LeaseLost

logger = logging.getLogger(__name__)
ProgressCallback = Callable[[str, float, int], None]


class LeaseRenewal(threading.Thread):
    """Renew a lease and write progress while the job runs.

    The thread has a database connection of its own. So the job's long statements do not delay the progress, and its
    open transaction does not hide it. `on_progress` is also called, with (step, fraction, rows).
    """

    def __init__(self, lease: Lease, on_progress: ProgressCallback | None = None) -> None:
        super().__init__(name=f"lease-renewal-{lease.job}", daemon=True)
        self.lease = lease
        self.on_progress = on_progress
        self.progress: dict[str, Any] = {"step": "starting", "fraction": 0.0, "rows": 0}
        self.lost = False
        self.stopping = threading.Event()

    def __enter__(self) -> "LeaseRenewal":
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stopping.set()
        self.join()

    def run(self) -> None:
        try:
            while not self.stopping.wait(settings.WORKER_BEAT_SECONDS):
                self.once()
        finally:
            connection.close()

    def once(self) -> None:
        """Renew the lease once. A failure of the database is logged, and the next turn tries again."""
        try:
            self.lease.renew(progress=self.progress)
        except LeaseLost:
            self.lost = True
        except Error as error:
            logger.warning("The lease of %s was not renewed: %s", self.lease.job, error)
            connection.close()

    def show(self, step: str, fraction: float, rows: int) -> None:
        """Set the job's progress, `fraction` from 0 to 1. Raises LeaseLost once another worker has the job."""
        if self.lost and not self.stopping.is_set():
            raise LeaseLost
        self.progress = {"step": step, "fraction": round(fraction, 4), "rows": rows}
        if self.on_progress is not None:
            self.on_progress(step, fraction, rows)
