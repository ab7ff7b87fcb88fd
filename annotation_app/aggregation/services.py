"""Decisions in: append-only, each checked against the majorities as they stand before anything is stored."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from annotation_app.aggregation.cases import Case, case_get, case_place, outcome_ready, places_of
from annotation_app.aggregation.decision import Decision, decision_errors
from annotation_app.aggregation.disagreements import Disagreements, Filters, disagreements, own_listed, stage_check
from annotation_app.aggregation.errors import DecisionInvalid, DecisionStale
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.revisions import Revisions
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.errors import NotYours
from annotation_app.models import (
    AdjudicatedLabel,
    Adjudication,
    Assignment,
    BatchItem,
    Capability,
    Membership,
    event_write,
)


@dataclass(frozen=True)
class Taken:
    """The stored decision; `created` is False where it had been stored before."""

    row: Adjudication
    created: bool


def phase_of(source: str) -> Phase:
    """Whose majorities a decision stands beside."""
    return 2 if source == Adjudication.Source.CONSENSUS else 1


def case_show(*, reader: Membership, item_uuid: UUID, filters: Filters, lock_own: bool) -> Case:
    """Return one item with its answers side by side, and lock the reader's own answer to it, if they have one.

    `lock_own` says that the reader agreed to that. Raises NotYours, UnknownStage, NotReady, AnswerFirst and
    OwnAnswerOpen; nothing is shown then.
    """
    place = case_place(reader.project, item_uuid)
    stage_check(filters, stages_of(codebooks_of(reader.project)))
    outcome = outcome_ready(place, reader, filters.phase)
    reveal_answers(reader=reader, batch_items=places_of(place), subject=item_uuid, lock_own=lock_own)
    return case_get(place, outcome, reader)


def disagreements_show(*, reader: Membership, filters: Filters, page: int, lock_own: bool) -> Disagreements:
    """Return one page of a list of disagreements.

    `lock_own` first locks the reader's own answers to the items that are hidden because of them and are finished.
    """
    if lock_own and (units := own_listed(reader, filters)):
        places = BatchItem.objects.filter(pk__in=units).select_related("batch__second_look")
        batch_items = [pk for place in places for pk in places_of(place)]
        reveal_answers(reader=reader, batch_items=batch_items, subject=reader.project.uuid, lock_own=True)
    return disagreements(reader=reader, filters=filters, page=page)


@transaction.atomic
def adjudication_submit(*, membership: Membership, item_uuid: UUID, body: Decision) -> Taken:
    """Stores one decision, or gives back what the same client_id and body stored before.

    It changes no annotation, no majority, no agreement figure and no round, and may come before or after a batch is
    frozen. Raises NotYours, NotReady, AnswerFirst, OwnAnswerOpen, ClientIdReused, DecisionStale, DecisionInvalid;
    nothing is stored then.
    """
    place = place_lock(membership, item_uuid, body.source)
    revisions = Revisions(list(place.adjudications.order_by("revision").prefetch_related("labels")))
    if (earlier := revisions.replayed(body)) is not None:
        return Taken(earlier, False)
    outcome = outcome_ready(place, membership, phase_of(body.source))
    reveal_answers(reader=membership, batch_items=places_of(place), subject=item_uuid, lock_own=False)
    revisions.check(body, DecisionStale)
    latest = revisions.latest
    errors = decision_errors(outcome.codebook, outcome.majorities, body)
    if body.withdraw and (latest is None or latest.withdraws):
        errors["withdraw"] = ["There is no decision to take back."]
    if errors:
        raise DecisionInvalid(errors)
    return Taken(adjudication_store(membership, place, body, revisions.next_number), True)


def place_lock(membership: Membership, item_uuid: UUID, source: str) -> BatchItem:
    """The person first, then the item's answers, then the item in its batch: the order in which everything locks here.

    A revision under way is waited for, and is part of what is decided about; a later one is newer than the decision.
    """
    needs = Capability.MANAGE if source == Adjudication.Source.CONSENSUS else Capability.RESOLVE
    mine = Membership.objects.filter(pk=membership.pk).active_with(needs)
    if not mine.select_for_update(no_key=True).exists():
        raise NotYours
    place = case_place(membership.project, item_uuid)
    done = Assignment.objects.filter(batch_item__in=places_of(place), state__in=Assignment.DONE_STATES)
    list(done.order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    BatchItem.objects.select_for_update(no_key=True).get(pk=place.pk)
    return place


def adjudication_store(membership: Membership, place: BatchItem, body: Decision, revision: int) -> Adjudication:
    row = Adjudication.objects.create(
        batch_item=place,
        revision=revision,
        client_id=body.client_id,
        body_hash=body.body_hash,
        adjudicator=membership,
        source=body.source,
        withdraws=body.withdraw,
        reason=body.reason,
    )
    AdjudicatedLabel.objects.bulk_create(
        AdjudicatedLabel(adjudication=row, stage=stage, label=label) for stage, label in body.labels.items()
    )
    event_write(
        verb="adjudication_withdrawn" if body.withdraw else "adjudication_submitted",
        project=membership.project,
        actor_id=membership.user_id,
        subject=place.item.uuid,
        revision=revision,
        source=body.source,
        labels=dict(body.labels),
    )
    return row
