"""Lists of disagreements, and where an item stands in one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation_app.aggregation.cases import batches_looked_at
from annotation_app.aggregation.errors import UnknownStage
from annotation_app.aggregation.standing import Kind, Outcome, Place, Standing, standing
from annotation_app.aggregation.statements import Phase
from annotation_app.models import Batch, BatchItem, Project

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
    """One page of a list; `counts` are the sizes of all lists of this stage, `rounds` the numbers to choose from."""

    items: list[Listed]
    counts: Counter[Kind]
    standing: Standing
    rounds: list[int]
    looked_at: list[int]
    page: int
    n_pages: int


@dataclass(frozen=True)
class Neighbours:
    """In the order of the list; `place` counts from 1, None where the item does not stand in the list (any more)."""

    previous: UUID | None
    next: UUID | None
    place: int | None
    total: int


def disagreements(*, project: Project, filters: Filters, page: int) -> Disagreements:
    """A constant number of queries; the texts of one page are read. Raises UnknownStage."""
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND).order_by("number"))
    looked_at = batches_looked_at(project)
    found = filtered(project, filters, rounds, looked_at)
    places = found.places(filters.kind, filters.stage)
    shown = places[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return Disagreements(
        items=listed(found, shown),
        counts=found.counts(filters.stage),
        standing=found,
        rounds=[batch.number for batch in (looked_at if filters.phase == 2 else rounds)],
        looked_at=[batch.number for batch in looked_at],
        page=page,
        n_pages=max(1, -(-len(places) // PAGE_SIZE)),
    )


def filtered(project: Project, filters: Filters, rounds: Sequence[Batch], looked_at: Sequence[Batch]) -> Standing:
    batches = looked_at if filters.phase == 2 else rounds
    named = [batch for batch in batches if filters.round in (None, batch.number)]
    found = standing(project=project, batches=named, phase=filters.phase)
    if filters.stage is not None and filters.stage not in dict(found.stages):
        raise UnknownStage(filters.stage)
    return found


def listed(found: Standing, places: Sequence[Place]) -> list[Listed]:
    units = {place.unit for place in places}
    outcomes = {unit: outcome for outcome in found.outcomes for unit in units.intersection(outcome.units)}
    rows = BatchItem.objects.select_related("item__document", "batch").in_bulk(units)
    return [Listed(rows[place.unit], outcomes[place.unit]) for place in places]


def neighbours_of(place: BatchItem, filters: Filters) -> Neighbours:
    """The item may have left the list by its decision: its neighbours stay those around its place.

    Raises UnknownStage.
    """
    project = place.batch.project
    rounds = list(project.batches.filter(kind=Batch.Kind.ROUND))
    looked_at = batches_looked_at(project) if filters.phase == 2 else []
    places = filtered(project, filters, rounds, looked_at).places(filters.kind, filters.stage)
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
