"""Accept a worker's results: a batch to open, or the reason why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation_app.assignment.services import batch_open
from annotation_app.models import (
    Batch,
    Capability,
    Lease,
    Membership,
    Project,
    Round,
    RoundFile,
    event_write,
)
from annotation_app.rounds.budget import budget_left
from annotation_app.rounds.check_items import checks_of_round
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.errors import RoundUnacceptable
from annotation_app.rounds.record import round_record
from annotation_app.storage import StoredFile


@dataclass(frozen=True)
class Chosen:
    """Hold an item in the order of selection; `rank` counts from 1."""

    item: str
    rank: int
    score: float | None


@dataclass(frozen=True)
class Results:
    chosen: Sequence[Chosen]
    metrics: dict[str, Any]
    record: dict[str, Any]
    files: Sequence[StoredFile]

    @property
    def strategy_used(self) -> str:
        """Return the strategy that selected: the alternative where the model was not informative.

        Empty without a record.
        """
        return str(self.record.get("strategy", {}).get("used", ""))


# Of a round that failed or was cancelled.
NOTHING = Results(chosen=(), metrics={}, record={}, files=())


@transaction.atomic
def round_accept(*, lease: Lease, results: Results) -> Batch:
    """Open the batch and record the round, all in one transaction. Raises LeaseLost without writing anything."""
    # Before the round's row, as a start does: members, budget and pool stay as they are until the batch is open.
    Project.objects.select_for_update(no_key=True).get(rounds=lease.row_id)
    row: Round = lease.lock()
    ids = chosen_ids(row, results.chosen)
    annotators = annotators_left(row)
    budget_check(row, len(ids))
    checks, fewer = checks_of_round(row, annotators, len(ids))
    batch = batch_open(
        project=row.project,
        codebook=row.codebook,
        items=[(ids[chosen.item], chosen.score) for chosen in results.chosen],
        annotators=annotators,
        annotators_per_item=row.annotators_per_item,
        kind=Batch.Kind.ROUND,
        number=row.number,
        round=row,
        shares=row.shares_of(annotators),
        checks=checks,
        actor_id=None,
    )
    RoundFile.objects.bulk_create(RoundFile(round=row, **vars(stored)) for stored in results.files)
    row.state = Round.State.ANNOTATING
    row.lease_owner, row.lease_until = "", None
    if results.strategy_used and results.strategy_used != row.strategy_used:
        row.strategy_used, row.options = results.strategy_used, results.record["strategy"]["options"]
    row.metrics = results.metrics
    row.timings = {name: step["seconds"] for name, step in results.record.get("steps", {}).items()}
    row.notices = [*row.notices, *results.record.get("notices", []), *fewer]
    row.record = round_record(row, results)
    row.save()
    event_write(verb="round_opened", project=row.project, actor_id=None, subject=row.uuid, items=len(results.chosen))
    return batch


def chosen_ids(row: Round, chosen: Sequence[Chosen]) -> dict[str, int]:
    """Return the ids of the chosen items. Raises RoundUnacceptable where one has left the pool meanwhile."""
    names = [each.item for each in chosen]
    ids = dict(eligible_items(row.project).filter(external_id__in=names).values_list("external_id", "pk"))
    gone = [name for name in names if name not in ids]
    if gone:
        raise RoundUnacceptable(
            f"{len(gone)} of the {len(names)} chosen items left the pool while the round chose, {gone[0]} among them. "
            "Cancel the round and start another."
        )
    return ids


def annotators_left(row: Round) -> list[Membership]:
    """Return who was named and may still annotate. Raises RoundUnacceptable where they are too few for an item."""
    left = list(row.annotators.active_with(Capability.RATE))
    if len(left) < row.annotators_per_item:
        named = row.annotators.count()
        raise RoundUnacceptable(
            f"Each item needs {row.annotators_per_item} annotators, and {len(left)} of the {named} who were named are "
            "left: the others were deactivated or became adjudicators. Activate them and restart the round, "
            "or cancel it and start another."
        )
    return left


def budget_check(row: Round, size: int) -> None:
    budget, left = row.project.annotation_budget, budget_left(row.project)
    if left is not None and size > left:
        raise RoundUnacceptable(
            f"The round chose {size} items, and the project's budget has {left} of {budget} left. "
            "Raise the budget and restart the round, or cancel it."
        )


@transaction.atomic
def round_fail(*, lease: Lease, step: str, reason: str) -> None:
    """Record the failed step and its reason. Raises LeaseLost."""
    row = lease.end(Round.State.FAILED, failed_step=step, failure=reason)
    event_write(verb="round_failed", project=row.project, actor_id=None, subject=row.uuid, step=step, reason=reason)
    row.record = round_record(row, NOTHING)
    row.save(update_fields=["record"])
