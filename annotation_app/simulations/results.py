"""Write a simulation's end for the worker. Every write needs the lease."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from annotation_app.models import Lease, Simulation, SimulationFile, event_write
from annotation_app.storage import StoredFile


@transaction.atomic
def simulation_accept(
    *, lease: Lease, files: Iterable[StoredFile], progress: dict[str, Any], timings: dict[str, Any]
) -> None:
    """Record the end and the stored files. Raises LeaseLost without writing anything."""
    # The summary in the storage holds all curves.
    row = lease.end(Simulation.State.DONE, progress=progress, timings=timings, curves=[])
    SimulationFile.objects.bulk_create(SimulationFile(simulation=row, **vars(file)) for file in files)
    event_write(verb="simulation_done", project=row.project, actor_id=None, subject=row.uuid)


@transaction.atomic
def simulation_fail(*, lease: Lease, reason: str) -> None:
    """Record the reason. Raises LeaseLost."""
    row = lease.end(Simulation.State.FAILED, failure=reason)
    event_write(verb="simulation_failed", project=row.project, actor_id=None, subject=row.uuid, reason=reason)
