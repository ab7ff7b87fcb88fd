"""Read one item on which people may disagree: the anonymized answers, and what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from annotation_app.aggregation.anonymize import letter, shuffled
from annotation_app.aggregation.outcomes import Outcome, project_outcomes
from annotation_app.aggregation.predictions import ShownPredictions, predictions_show
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.selectors import answers_of
from annotation_app.assignment.selectors import batches_progress
from annotation_app.models import Adjudication, Annotation, Assignment, Batch, BatchItem, Membership, Project
from annotation_app.refusals import NotYours, Refused

WAITING = "Not every answer to this item has been submitted yet."
OWN_LOOK = "You still have to take a second look at this item. Until then, other people's answers stay hidden from you."
NO_LOOK = "A consensus follows a second look. The second look at this batch has not ended yet."


@dataclass(frozen=True)
class ShownAnswer:
    """Hold one annotation as it is shown to others: without name, number or time."""

    answers: dict[str, str]
    comment: str
    skip_reason: str


@dataclass(frozen=True)
class AnonymizedAnswer:
    """Hold one annotator's answers under a letter; `second` is their answer of the second look, if there is one."""

    letter: str
    first: ShownAnswer
    second: ShownAnswer | None


@dataclass(frozen=True)
class Case:
    batch_item: BatchItem
    outcome: Outcome
    answers: Sequence[AnonymizedAnswer]
    latest: Adjudication | None
    predictions: Sequence[ShownPredictions]


def case_batch_item(project: Project, item_uuid: UUID) -> BatchItem:
    """Return the item's row in its round's batch. Raises NotYours where the project's rounds have no such item."""
    rows = BatchItem.objects.filter(
        batch__project=project, batch__kind=Batch.Kind.ROUND, item__uuid=item_uuid, is_check=False
    )
    batch_item = rows.select_related("batch__second_look", "batch__project", "item").first()
    if batch_item is None:
        raise NotYours
    return batch_item


def case_get(batch_item: BatchItem, outcome: Outcome, reader: Membership) -> Case:
    """Return the case. Call `reveal_answers` first: this returns other people's answers."""
    latest = batch_item.adjudications.order_by("-revision").prefetch_related("labels").first()
    answers = anonymized_answers(batch_item, reader)
    return Case(batch_item, outcome, answers, latest, predictions_show(reader, batch_item))


def batch_item_ids_of(batch_item: BatchItem) -> list[int]:
    """Return the ids of the item's rows in its round's batch and in the second look at that."""
    second = second_look_of(batch_item.batch)
    again = (
        BatchItem.objects.filter(batch=second, item=batch_item.item_id).values_list("pk", flat=True) if second else []
    )
    return [batch_item.pk, *again]


def outcome_ready(batch_item: BatchItem, reader: Membership, phase: Phase) -> Outcome:
    """Return the item's outcome, once all its answers are in. Raises Refused (waiting, no_second_look, second_look)."""
    [found] = [
        outcome
        for outcome in project_outcomes(
            project=batch_item.batch.project, batches=[batch_item.batch], phase=phase
        ).outcomes
        if batch_item.pk in outcome.batch_item_ids
    ]
    if not found.finished:
        raise Refused("waiting", WAITING)
    second = second_look_of(batch_item.batch)
    if phase == 2 and (second is None or not is_over(second)):
        raise Refused("no_second_look", NO_LOOK)
    if second is not None and second.frozen_at is None and own_look_open(second, batch_item, reader):
        raise Refused("second_look", OWN_LOOK)
    return found


def second_look_of(batch: Batch) -> Batch | None:
    return getattr(batch, "second_look", None)


def is_over(second: Batch) -> bool:
    return second.frozen_at is not None or batches_progress([second])[second.pk].complete


def second_looks_over(project: Project) -> list[Batch]:
    """Return the second looks that are over, each with the batch that it looked at loaded."""
    looks = list(project.batches.filter(kind=Batch.Kind.SECOND_LOOK).select_related("second_look_of"))
    progress = batches_progress(looks)
    return [look for look in looks if look.second_look_of and (look.frozen_at or progress[look.pk].complete)]


def batches_looked_at(project: Project) -> list[Batch]:
    """Return the rounds' batches whose second look is over."""
    return [look.second_look_of for look in second_looks_over(project) if look.second_look_of]


def own_look_open(second: Batch, batch_item: BatchItem, reader: Membership) -> bool:
    mine = Assignment.objects.filter(annotator=reader, batch_item__batch=second, batch_item__item=batch_item.item_id)
    return mine.filter(state__in=(Assignment.State.OPEN, Assignment.State.CLAIMED)).exists()


def anonymized_answers(batch_item: BatchItem, reader: Membership) -> list[AnonymizedAnswer]:
    """Return the item's answers in the order of their letters, in a constant number of queries."""
    first = current_of(Assignment.objects.filter(batch_item=batch_item, state__in=Assignment.DONE_STATES))
    second = second_look_of(batch_item.batch)
    again = Assignment.objects.filter(
        batch_item__batch=second, batch_item__item=batch_item.item_id, state=Assignment.State.SUBMITTED
    )
    later = current_of(again) if second is not None else {}
    by_uuid = {row.uuid: row for row in first.values()}
    order = shuffled(by_uuid, reader=reader.uuid, item=batch_item.item.uuid)
    return [
        AnonymizedAnswer(
            letter(number),
            shown_answer(row.current),
            shown_answer(later[row.annotator_id].current) if row.annotator_id in later else None,
        )
        for number, row in enumerate(by_uuid[uuid] for uuid in order)
    ]


def current_of(rows: QuerySet[Assignment]) -> dict[int, Assignment]:
    """Return the assignments by annotator, with the current annotation and its answers loaded."""
    return {row.annotator_id: row for row in rows.select_related("current").prefetch_related("current__answers")}


def shown_answer(annotation: Annotation | None) -> ShownAnswer:
    if annotation is None:
        raise ValueError("An assignment that is done has no annotation.")
    return ShownAnswer(answers_of(annotation), annotation.comment, annotation.skip_reason)
