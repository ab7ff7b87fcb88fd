"""List disagreements, and find an item's position in such a list."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation_app.aggregation.cases import batches_looked_at
from annotation_app.aggregation.outcomes import ItemPosition, Kind, Outcome, Outcomes, project_outcomes
from annotation_app.aggregation.selectors import unknown_stage
from annotation_app.aggregation.statements import Phase
from annotation_app.assignment.blinding import hidden_items
from annotation_app.models import Batch, BatchItem, Membership, Project

PAGE_SIZE = 50


@dataclass(frozen=True)
class Filters:
    """Choose a list. `stage` None is any stage, `round` None all rounds; phase 2 has rounds with a finished look."""

    kind: Kind = "open"
    stage: str | None = None
    round: int | None = None
    phase: Phase = 1


@dataclass(frozen=True)
class Listed:
    """Hold one item of the list with its outcome."""

    batch_item: BatchItem
    outcome: Outcome


@dataclass(frozen=True)
class Disagreements:
    """Hold one page of a list; `counts` are the sizes of all lists of this stage, `rounds` the numbers to choose from.

    Items whose outcome would reveal others' answers before the reader's own is locked are hidden, and counted apart:
    `hidden_editable` that they answered and can still revise, `hidden_pending` that they have a second look of to take.
    """

    items: list[Listed]
    counts: Counter[Kind]
    outcomes: Outcomes
    rounds: list[int]
    looked_at: list[int]
    hidden_editable: int
    hidden_pending: int
    page: int
    n_pages: int


@dataclass(frozen=True)
class Neighbours:
    """Hold an item's neighbours in the list; `place` counts from 1, and is None where the item is not in the list."""

    previous: UUID | None
    next: UUID | None
    place: int | None
    total: int


def disagreements(*, reader: Membership, filters: Filters, page: int) -> Disagreements:
    """Return one page of a list, in a constant number of queries. Raises Invalid."""
    project = reader.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND).order_by("number"))
    looked_at = batches_looked_at(project)
    whole = filtered(project, filters, rounds, looked_at)
    own = hidden_items(reader)
    hidden = Counter(own[pk] for pk in whole.finished if pk in own)
    found = whole.without(own)
    positions = found.positions(filters.kind, filters.stage)
    shown = positions[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return Disagreements(
        items=listed(found, shown),
        counts=found.counts(filters.stage),
        outcomes=found,
        rounds=[batch.number for batch in (looked_at if filters.phase == 2 else rounds)],
        looked_at=[batch.number for batch in looked_at],
        hidden_editable=hidden[True],
        hidden_pending=hidden[False],
        page=page,
        n_pages=max(1, -(-len(positions) // PAGE_SIZE)),
    )


def own_listed(reader: Membership, filters: Filters) -> list[int]:
    """Return the hidden items that the reader has answered, as `disagreements` counts them."""
    project = reader.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND))
    looked_at = batches_looked_at(project) if filters.phase == 2 else []
    own = hidden_items(reader)
    return [pk for pk in filtered(project, filters, rounds, looked_at).finished if own.get(pk)]


def filtered(project: Project, filters: Filters, rounds: Sequence[Batch], looked_at: Sequence[Batch]) -> Outcomes:
    batches = looked_at if filters.phase == 2 else rounds
    named = [batch for batch in batches if filters.round in (None, batch.number)]
    found = project_outcomes(project=project, batches=named, phase=filters.phase)
    stage_check(filters, found.stages)
    return found


def stage_check(filters: Filters, stages: Sequence[tuple[str, str]]) -> None:
    """Check the stage that was asked for. `stages` are (key, title). Raises Invalid."""
    if filters.stage is not None and filters.stage not in dict(stages):
        raise unknown_stage(filters.stage)


def listed(found: Outcomes, positions: Sequence[ItemPosition]) -> list[Listed]:
    ids = {position.batch_item_id for position in positions}
    outcomes = {pk: outcome for outcome in found.outcomes for pk in ids.intersection(outcome.batch_item_ids)}
    rows = BatchItem.objects.select_related("item__document", "batch").in_bulk(ids)
    return [Listed(rows[position.batch_item_id], outcomes[position.batch_item_id]) for position in positions]


def neighbours_of(batch_item: BatchItem, filters: Filters, reader: Membership) -> Neighbours:
    """Return the item's neighbours. An item that its decision took off the list keeps those around its position.

    Raises Invalid.
    """
    project = batch_item.batch.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND))
    looked_at = batches_looked_at(project) if filters.phase == 2 else []
    found = filtered(project, filters, rounds, looked_at).without(hidden_items(reader))
    positions = found.positions(filters.kind, filters.stage)
    here = batch_item.batch.number, batch_item.rank
    before = [each for each in positions if each.order < here]
    after = [each for each in positions if each.order > here]
    near = {each.batch_item_id for each in (*before[-1:], *after[:1])}
    uuids = dict(BatchItem.objects.filter(pk__in=near).values_list("pk", "item__uuid"))
    return Neighbours(
        previous=uuids[before[-1].batch_item_id] if before else None,
        next=uuids[after[0].batch_item_id] if after else None,
        place=len(before) + 1 if len(before) + len(after) < len(positions) else None,
        total=len(positions),
    )
