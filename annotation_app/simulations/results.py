"""Write a simulation's progress and end for the worker. Every write needs the lease."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Value, When
from django.utils import timezone

from annotation_app.models import Lease, LeaseLost, Simulation, SimulationFile, event_write
from annotation_app.storage import StoredFile


def simulation_take(*, simulation_id: int, owner: str) -> Lease | None:
    """Takes a simulation that nobody works on. One found running was left by a worker that stopped: it is counted."""
    lost = Case(When(state=Simulation.State.RUNNING, then=F("workers_lost") + 1), default=Value(0))
    return Simulation.take(row_id=simulation_id, owner=owner, state=Simulation.State.RUNNING, workers_lost=lost)


def simulation_give_back(*, lease: Lease, progress: dict[str, Any], curves: list[dict[str, Any]]) -> None:
    """Return the simulation to the queue with what it has done; do nothing where the lease is lost."""
    lease.held().update(
        state=Simulation.State.WAITING, lease_owner="", lease_until=None, progress=progress, curves=curves
    )


@transaction.atomic
def simulation_accept(
    *, lease: Lease, files: Iterable[StoredFile], progress: dict[str, Any], timings: dict[str, Any]
) -> None:
    """Record the end and the stored files. Raises LeaseLost without writing anything."""
    row = _held(lease)
    if row is None:
        raise LeaseLost
    SimulationFile.objects.bulk_create(SimulationFile(simulation=row, **vars(file)) for file in files)
    row.state, row.progress, row.timings = Simulation.State.DONE, progress, timings
    # The summary in the storage holds them all.
    row.curves = []
    _end(row)
    event_write(verb="simulation_done", project=row.project, actor_id=None, subject=row.uuid)


@transaction.atomic
def simulation_fail(*, lease: Lease, reason: str) -> None:
    """Record the reason, unless the lease is lost."""
    row = _held(lease)
    if row is None:
        return
    row.state, row.failure = Simulation.State.FAILED, reason
    _end(row)
    event_write(verb="simulation_failed", project=row.project, actor_id=None, subject=row.uuid, reason=reason)


def _held(lease: Lease) -> Simulation | None:
    row: Simulation | None = lease.held().select_for_update(of=("self",), no_key=True).select_related("project").first()
    return row


def _end(row: Simulation) -> None:
    row.lease_owner, row.lease_until, row.finished_at = "", None, timezone.now()
    row.save()
