"""Decisions in: append-only, each checked against the majorities as they stand before anything is stored."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from annotation_app.aggregation.cases import case_place, outcome_ready
from annotation_app.aggregation.decision import Decision, decision_errors
from annotation_app.aggregation.errors import DecisionInvalid, DecisionStale
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.errors import ClientIdReused
from annotation_app.assignment.errors import NotYours
from annotation_app.models import (
    AdjudicatedLabel,
    Adjudication,
    BatchItem,
    Membership,
    Role,
    event_write,
)

ADJUDICATORS = (Role.ADMIN, Role.ADJUDICATOR)


@dataclass(frozen=True)
class Taken:
    """The stored decision; `created` is False where it had been stored before."""

    row: Adjudication
    created: bool


def phase_of(source: str) -> Phase:
    """Whose majorities a decision stands beside."""
    return 2 if source == Adjudication.Source.CONSENSUS else 1


@transaction.atomic
def adjudication_submit(*, membership: Membership, item_uuid: UUID, body: Decision) -> Taken:
    """Stores one decision, or gives back what the same client_id and body stored before.

    It changes no annotation, no majority, no agreement figure and no round, and may come before or after a batch is
    frozen. Raises NotYours, NotReady, ClientIdReused, DecisionStale, DecisionInvalid; nothing is stored then.
    """
    place = place_lock(membership, item_uuid, body.source)
    earlier = list(place.adjudications.order_by("revision").prefetch_related("labels"))
    same_id = next((row for row in earlier if row.client_id == body.client_id), None)
    if same_id is not None and same_id.body_hash == body.body_hash:
        return Taken(same_id, False)
    outcome = outcome_ready(place, membership, phase_of(body.source))
    if same_id is not None:
        raise ClientIdReused
    latest = earlier[-1] if earlier else None
    if body.base_revision != (latest.revision if latest else 0):
        raise DecisionStale(latest)
    errors = decision_errors(outcome.codebook, outcome.majorities, body)
    if body.withdraw and (latest is None or latest.withdraws):
        errors["withdraw"] = ["There is no decision to take back."]
    if errors:
        raise DecisionInvalid(errors)
    return Taken(adjudication_store(membership, place, body, len(earlier) + 1), True)


def place_lock(membership: Membership, item_uuid: UUID, source: str) -> BatchItem:
    """The person first, then the item in its batch: the order in which everything locks here."""
    roles = (Role.ADMIN,) if source == Adjudication.Source.CONSENSUS else ADJUDICATORS
    mine = Membership.objects.filter(pk=membership.pk, is_active=True, role__in=roles)
    if not mine.select_for_update(no_key=True).exists():
        raise NotYours
    place = case_place(membership.project, item_uuid)
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
