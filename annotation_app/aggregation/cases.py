"""One item on which people may disagree: the answers side by side, and what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from annotation_app.aggregation.errors import NotReady
from annotation_app.aggregation.letters import letter, shuffled
from annotation_app.aggregation.standing import Outcome, standing
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.selectors import answers_of
from annotation_app.assignment.errors import NotYours
from annotation_app.assignment.selectors import batches_progress
from annotation_app.models import Adjudication, Annotation, Assignment, Batch, BatchItem, Membership, Project

WAITING = "Not every answer to this item is in yet."
OWN_LOOK = "You have a second look at this item to take first: until then others' answers stay hidden from you."
NO_LOOK = "A consensus follows a second look, and the one at this batch is not over."


@dataclass(frozen=True)
class Said:
    """One annotation as it is shown: without name, number or time."""

    answers: dict[str, str]
    comment: str
    skip_reason: str


@dataclass(frozen=True)
class Beside:
    """One annotator's answers under a letter; `second` is what they said in the second look, if anything."""

    letter: str
    first: Said
    second: Said | None


@dataclass(frozen=True)
class Case:
    place: BatchItem
    outcome: Outcome
    answers: Sequence[Beside]
    latest: Adjudication | None


def case_place(project: Project, item_uuid: UUID) -> BatchItem:
    """The item in its round's batch. Raises NotYours where the project's rounds have no such item."""
    rows = BatchItem.objects.filter(batch__project=project, batch__kind=Batch.Kind.ROUND, item__uuid=item_uuid)
    place = rows.select_related("batch__second_look", "batch__project", "item").first()
    if place is None:
        raise NotYours
    return place


def case_get(place: BatchItem, outcome: Outcome, reader: Membership) -> Case:
    """Return the case. Call `reveal_answers` first: this returns other people's answers."""
    latest = place.adjudications.order_by("-revision").prefetch_related("labels").first()
    return Case(place, outcome, answers_beside(place, reader), latest)


def places_of(place: BatchItem) -> list[int]:
    """The item's rows in its round's batch and in the second look at that."""
    second = second_look_of(place.batch)
    again = BatchItem.objects.filter(batch=second, item=place.item_id).values_list("pk", flat=True) if second else []
    return [place.pk, *again]


def outcome_ready(place: BatchItem, reader: Membership, phase: Phase) -> Outcome:
    """What the item came to, once all answers are in. Raises NotReady."""
    [found] = [
        outcome
        for outcome in standing(project=place.batch.project, batches=[place.batch], phase=phase).outcomes
        if place.pk in outcome.units
    ]
    if not found.finished:
        raise NotReady("waiting", WAITING)
    second = second_look_of(place.batch)
    if phase == 2 and (second is None or not is_over(second)):
        raise NotReady("no_second_look", NO_LOOK)
    if second is not None and second.frozen_at is None and own_look_open(second, place, reader):
        raise NotReady("second_look", OWN_LOOK)
    return found


def second_look_of(batch: Batch) -> Batch | None:
    return getattr(batch, "second_look", None)


def is_over(second: Batch) -> bool:
    return second.frozen_at is not None or batches_progress([second])[second.pk].complete


def second_looks_over(project: Project) -> list[Batch]:
    """Each with the batch that it looked at."""
    looks = list(project.batches.filter(kind=Batch.Kind.SECOND_LOOK).select_related("second_look_of"))
    progress = batches_progress(looks)
    return [look for look in looks if look.second_look_of and (look.frozen_at or progress[look.pk].complete)]


def batches_looked_at(project: Project) -> list[Batch]:
    """Rounds' batches whose second look is over."""
    return [look.second_look_of for look in second_looks_over(project) if look.second_look_of]


def own_look_open(second: Batch, place: BatchItem, reader: Membership) -> bool:
    mine = Assignment.objects.filter(annotator=reader, batch_item__batch=second, batch_item__item=place.item_id)
    return mine.filter(state__in=(Assignment.State.OPEN, Assignment.State.CLAIMED)).exists()


def answers_beside(place: BatchItem, reader: Membership) -> list[Beside]:
    """In the order of the letters. Two queries with their answers, however many there are."""
    first = current_of(Assignment.objects.filter(batch_item=place, state__in=Assignment.DONE_STATES))
    second = second_look_of(place.batch)
    again = Assignment.objects.filter(
        batch_item__batch=second, batch_item__item=place.item_id, state=Assignment.State.SUBMITTED
    )
    later = current_of(again) if second is not None else {}
    by_uuid = {row.uuid: row for row in first.values()}
    order = shuffled(by_uuid, reader=reader.uuid, item=place.item.uuid)
    return [
        Beside(
            letter(number),
            said(row.current),
            said(later[row.annotator_id].current) if row.annotator_id in later else None,
        )
        for number, row in enumerate(by_uuid[uuid] for uuid in order)
    ]


def current_of(rows: QuerySet[Assignment]) -> dict[int, Assignment]:
    """By annotator, with the current annotation and its answers at hand."""
    return {row.annotator_id: row for row in rows.select_related("current").prefetch_related("current__answers")}


def said(annotation: Annotation | None) -> Said:
    if annotation is None:
        raise ValueError("An assignment that is done has no annotation.")
    return Said(answers_of(annotation), annotation.comment, annotation.skip_reason)
