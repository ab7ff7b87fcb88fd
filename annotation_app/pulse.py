"""Keeps the lease of a long job, and shows how far it is."""

import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import Error, connection

from annotation_app.models import Lease, LeaseLost

logger = logging.getLogger(__name__)
Told = Callable[[str, float, int], None]


def owner_name() -> str:
    """Who takes a lease: this process, and no other taking of it."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class Pulse(threading.Thread):
    """Renews a lease and shows progress while the job runs, on the thread's own connection: the job's long
    statements and its transaction neither delay it nor hide it. `told` hears of the progress too.
    """

    def __init__(self, lease: Lease, told: Told | None = None) -> None:
        super().__init__(name=f"pulse-{lease.job}", daemon=True)
        self.lease = lease
        self.told = told
        self.progress: dict[str, Any] = {"step": "starting", "fraction": 0.0, "rows": 0}
        self.lost = False
        self.stopping = threading.Event()

    def __enter__(self) -> "Pulse":
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
        try:
            held = self.lease.renew(progress=self.progress)
            self.lost = self.lost or not held
        except Error as error:
            logger.warning("The lease of %s was not renewed: %s", self.lease.job, error)
            connection.close()

    def show(self, step: str, fraction: float, rows: int) -> None:
        """Says how far the job is. Raises LeaseLost once it is another's."""
        if self.lost and not self.stopping.is_set():
            raise LeaseLost
        self.progress = {"step": step, "fraction": round(fraction, 4), "rows": rows}
        if self.told is not None:
            self.told(step, fraction, rows)
