"""Who works on an import. The row says it; a worker that lost its lease changes nothing."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from annotation_app.models import Import

logger = logging.getLogger(__name__)
Told = Callable[[str, float, int], None]


class LeaseLost(Exception):
    """Another worker took the import over: this one must write nothing."""


@dataclass(frozen=True)
class Lease:
    import_id: int
    owner: str
    attempt: int

    def held(self) -> QuerySet[Import]:
        """The import, if this lease still holds: the filter of every write."""
        return Import.objects.filter(
            pk=self.import_id, lease_owner=self.owner, attempt=self.attempt, state=Import.State.RUNNING
        )


def lease_end() -> Any:
    """By the database's clock, so that hosts need not agree on the time."""
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


def waiting_imports() -> QuerySet[Import]:
    """Imports that a worker should work on and none does."""
    lapsed = Q(state=Import.State.RUNNING) & (Q(lease_until__isnull=True) | Q(lease_until__lt=Now()))
    return Import.objects.filter(Q(state=Import.State.QUEUED) | lapsed)


def import_take(*, import_id: int, owner: str) -> Lease | None:
    """Takes an import that nobody works on; None where somebody does or nothing is left to do."""
    taken = (
        waiting_imports()
        .filter(pk=import_id)
        .update(state=Import.State.RUNNING, lease_owner=owner, lease_until=lease_end(), attempt=F("attempt") + 1)
    )
    if not taken:
        return None
    return Lease(import_id, owner, Import.objects.values_list("attempt", flat=True).get(pk=import_id))


class Pulse(threading.Thread):
    """Renews a lease and shows progress while the import runs, on the thread's own connection: the import's long
    statements and its transaction neither delay it nor hide it.
    """

    def __init__(self, lease: Lease, told: Told | None = None) -> None:
        super().__init__(name=f"import-{lease.import_id}", daemon=True)
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
            held = self.lease.held().update(lease_until=lease_end(), progress=self.progress)
            self.lost = self.lost or not held
        except Error as error:
            logger.warning("The lease of import %s was not renewed: %s", self.lease.import_id, error)
            connection.close()

    def show(self, step: str, fraction: float, rows: int) -> None:
        """Says how far the import is. Raises LeaseLost once it is another's."""
        if self.lost and not self.stopping.is_set():
            raise LeaseLost
        self.progress = {"step": step, "fraction": round(fraction, 4), "rows": rows}
        if self.told is not None:
            self.told(step, fraction, rows)
