"""What the worker brings back: a batch to open, or the reason why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation_app.assignment.services import batch_open
from annotation_app.models import Batch, Item, Lease, LeaseLost, Round, RoundFile, event_write
from annotation_app.rounds.record import round_record


@dataclass(frozen=True)
class Chosen:
    """An item in the order of selection; `rank` counts from 1."""

    item: str
    rank: int
    score: float | None


@dataclass(frozen=True)
class StoredFile:
    name: str
    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Results:
    chosen: Sequence[Chosen]
    metrics: dict[str, Any]
    record: dict[str, Any]
    files: Sequence[StoredFile]


# Of a round that failed or was cancelled.
NOTHING = Results(chosen=(), metrics={}, record={}, files=())


@transaction.atomic
def round_accept(*, lease: Lease, results: Results) -> Batch:
    """Opens the batch and records the round, all in one transaction. Raises LeaseLost without writing anything."""
    row = lease.held().select_for_update(of=("self",), no_key=True).select_related("project", "codebook").first()
    if row is None:
        raise LeaseLost
    ids = dict(
        Item.objects.filter(
            project=row.project, external_id__in=[chosen.item for chosen in results.chosen]
        ).values_list("external_id", "pk")
    )
    batch = batch_open(
        project=row.project,
        codebook=row.codebook,
        items=[(ids[chosen.item], chosen.score) for chosen in results.chosen],
        annotators=list(row.annotators.filter(is_active=True)),
        annotators_per_item=row.annotators_per_item,
        kind=Batch.Kind.ROUND,
        number=row.number,
        round=row,
        actor_id=None,
    )
    RoundFile.objects.bulk_create(RoundFile(round=row, **vars(stored)) for stored in results.files)
    row.state = Round.State.ANNOTATING
    row.lease_owner, row.lease_until = "", None
    row.metrics = results.metrics
    row.timings = {name: step["seconds"] for name, step in results.record.get("steps", {}).items()}
    row.notices = [*row.notices, *results.record.get("notices", [])]
    row.record = round_record(row, results)
    row.save()
    event_write(verb="round_opened", project=row.project, actor_id=None, subject=row.uuid, items=len(results.chosen))
    return batch


@transaction.atomic
def round_fail(*, lease: Lease, step: str, reason: str) -> None:
    """Records the failed step and its reason, unless the lease is lost."""
    row = lease.held().select_for_update(of=("self",), no_key=True).select_related("project").first()
    if row is None:
        return
    row.state, row.failed_step, row.failure = Round.State.FAILED, step, reason
    row.lease_owner, row.lease_until, row.finished_at = "", None, timezone.now()
    row.save()
    event_write(verb="round_failed", project=row.project, actor_id=None, subject=row.uuid, step=step, reason=reason)
    row.record = round_record(row, NOTHING)
    row.save(update_fields=["record"])
