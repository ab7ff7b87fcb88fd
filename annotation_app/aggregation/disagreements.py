"""Lists of disagreements, and where an item stands in one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation_app.aggregation.cases import batches_looked_at
from annotation_app.aggregation.errors import UnknownStage
from annotation_app.aggregation.standing import Kind, Outcome, Place, Standing, standing
from annotation_app.aggregation.statements import Phase
from annotation_app.assignment.blinding import hidden_items
from annotation_app.models import Batch, BatchItem, Membership, Project

PAGE_SIZE = 50


@dataclass(frozen=True)
class Filters:
    """`stage` None is any stage, `round` None all rounds. Phase 2 holds the rounds whose second look is over."""

    kind: Kind = "open"
    stage: str | None = None
    round: int | None = None
    phase: Phase = 1


@dataclass(frozen=True)
class Listed:
    """One item of the list with what it came to."""

    place: BatchItem
    outcome: Outcome


@dataclass(frozen=True)
class Disagreements:
    """One page of a list; `counts` are the sizes of all lists of this stage, `rounds` the numbers to choose from.

    Left out of all of it are items whose outcome would tell the reader others' answers before theirs is final:
    `hidden_editable` that they answered and can still revise, `hidden_pending` that they have a second look of to take.
    """

    items: list[Listed]
    counts: Counter[Kind]
    standing: Standing
    rounds: list[int]
    looked_at: list[int]
    hidden_editable: int
    hidden_pending: int
    page: int
    n_pages: int


@dataclass(frozen=True)
class Neighbours:
    """In the order of the list; `place` counts from 1, None where the item does not stand in the list (any more)."""

    previous: UUID | None
    next: UUID | None
    place: int | None
    total: int


def disagreements(*, reader: Membership, filters: Filters, page: int) -> Disagreements:
    """A constant number of queries; the texts of one page are read. Raises UnknownStage."""
    project = reader.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND).order_by("number"))
    looked_at = batches_looked_at(project)
    whole = filtered(project, filters, rounds, looked_at)
    own = hidden_items(reader)
    hidden = Counter(own[unit] for unit in whole.finished if unit in own)
    found = whole.without(own)
    places = found.places(filters.kind, filters.stage)
    shown = places[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return Disagreements(
        items=listed(found, shown),
        counts=found.counts(filters.stage),
        standing=found,
        rounds=[batch.number for batch in (looked_at if filters.phase == 2 else rounds)],
        looked_at=[batch.number for batch in looked_at],
        hidden_editable=hidden[True],
        hidden_pending=hidden[False],
        page=page,
        n_pages=max(1, -(-len(places) // PAGE_SIZE)),
    )


def own_listed(reader: Membership, filters: Filters) -> list[int]:
    """Those of the items left out that the reader has answered, as `disagreements` counts them."""
    project = reader.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND))
    looked_at = batches_looked_at(project) if filters.phase == 2 else []
    own = hidden_items(reader)
    return [unit for unit in filtered(project, filters, rounds, looked_at).finished if own.get(unit)]


def filtered(project: Project, filters: Filters, rounds: Sequence[Batch], looked_at: Sequence[Batch]) -> Standing:
    batches = looked_at if filters.phase == 2 else rounds
    named = [batch for batch in batches if filters.round in (None, batch.number)]
    found = standing(project=project, batches=named, phase=filters.phase)
    stage_check(filters, found.stages)
    return found


def stage_check(filters: Filters, stages: Sequence[tuple[str, str]]) -> None:
    """`stages` are (key, title). Raises UnknownStage."""
    if filters.stage is not None and filters.stage not in dict(stages):
        raise UnknownStage(filters.stage)


def listed(found: Standing, places: Sequence[Place]) -> list[Listed]:
    units = {place.unit for place in places}
    outcomes = {unit: outcome for outcome in found.outcomes for unit in units.intersection(outcome.units)}
    rows = BatchItem.objects.select_related("item__document", "batch").in_bulk(units)
    return [Listed(rows[place.unit], outcomes[place.unit]) for place in places]


def neighbours_of(place: BatchItem, filters: Filters, reader: Membership) -> Neighbours:
    """The item may have left the list by its decision: its neighbours stay those around its place.

    Raises UnknownStage.
    """
    project = place.batch.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND))
    looked_at = batches_looked_at(project) if filters.phase == 2 else []
    found = filtered(project, filters, rounds, looked_at).without(hidden_items(reader))
    places = found.places(filters.kind, filters.stage)
    here = place.batch.number, place.rank
    before = [each for each in places if each.order < here]
    after = [each for each in places if each.order > here]
    near = {each.unit for each in (*before[-1:], *after[:1])}
    uuids = dict(BatchItem.objects.filter(pk__in=near).values_list("pk", "item__uuid"))
    return Neighbours(
        previous=uuids[before[-1].unit] if before else None,
        next=uuids[after[0].unit] if after else None,
        place=len(before) + 1 if len(before) + len(after) < len(places) else None,
        total=len(places),
    )
