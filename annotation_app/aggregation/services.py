"""Store decisions as append-only revisions, each checked against the current majorities first."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from annotation_app.aggregation.cases import Case, batch_item_ids_of, case_batch_item, case_get, outcome_ready
from annotation_app.aggregation.decision import AdjudicationBody, decision_errors
from annotation_app.aggregation.disagreements import Disagreements, Filters, disagreements, own_listed, stage_check
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.revisions import DECISION_NOT_STORED, STALE_DECISION, Revisions
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.models import (
    AdjudicatedLabel,
    Adjudication,
    Assignment,
    BatchItem,
    Capability,
    Membership,
    event_write,
)
from annotation_app.refusals import Invalid, NotYours


@dataclass(frozen=True)
class StoredAdjudication:
    """Hold the stored decision; `created` is False where it had been stored before."""

    row: Adjudication
    created: bool


def phase_of(source: str) -> Phase:
    """Return the phase whose majorities a decision stands beside."""
    return 2 if source == Adjudication.Source.CONSENSUS else 1


def case_show(*, reader: Membership, item_uuid: UUID, filters: Filters, lock_own: bool) -> Case:
    """Return one item with its answers side by side, and lock the reader's own answer to it, if they have one.

    `lock_own` says that the reader agreed to that. Raises NotYours, Invalid and Refused (waiting, second_look,
    no_second_look, answer_first, own_answer); nothing is shown then.
    """
    batch_item = case_batch_item(reader.project, item_uuid)
    stage_check(filters, stages_of(codebooks_of(reader.project)))
    outcome = outcome_ready(batch_item, reader, filters.phase)
    reveal_answers(reader=reader, batch_items=batch_item_ids_of(batch_item), subject=item_uuid, lock_own=lock_own)
    return case_get(batch_item, outcome, reader)


def disagreements_show(*, reader: Membership, filters: Filters, page: int, lock_own: bool) -> Disagreements:
    """Return one page of a list of disagreements.

    `lock_own` first locks the reader's own answers to the items that are hidden because of them and are finished.
    """
    if lock_own and (batch_item_ids := own_listed(reader, filters)):
        places = BatchItem.objects.filter(pk__in=batch_item_ids).select_related("batch__second_look")
        batch_items = [pk for batch_item in places for pk in batch_item_ids_of(batch_item)]
        reveal_answers(reader=reader, batch_items=batch_items, subject=reader.project.uuid, lock_own=True)
    return disagreements(reader=reader, filters=filters, page=page)


@transaction.atomic
def adjudication_submit(*, membership: Membership, item_uuid: UUID, body: AdjudicationBody) -> StoredAdjudication:
    """Store one decision, or return what the same client_id and body stored before.

    It changes no annotation, majority, agreement value or round, and may come before or after a batch is frozen. Raises
    NotYours, Invalid, Stale and Refused, as `case_show` does; nothing is stored then.
    """
    batch_item = batch_item_lock(membership, item_uuid, body.source)
    revisions = Revisions(list(batch_item.adjudications.order_by("revision").prefetch_related("labels")))
    if (earlier := revisions.replayed(body)) is not None:
        return StoredAdjudication(earlier, False)
    outcome = outcome_ready(batch_item, membership, phase_of(body.source))
    reveal_answers(reader=membership, batch_items=batch_item_ids_of(batch_item), subject=item_uuid, lock_own=False)
    revisions.check(body, STALE_DECISION)
    latest = revisions.latest
    errors = decision_errors(outcome.codebook, outcome.majorities, body)
    if body.withdraw and (latest is None or latest.withdraws):
        errors["withdraw"] = ["There is no decision to take back."]
    if errors:
        raise Invalid(errors, DECISION_NOT_STORED)
    return StoredAdjudication(adjudication_store(membership, batch_item, body, revisions.next_number), True)


def batch_item_lock(membership: Membership, item_uuid: UUID, source: str) -> BatchItem:
    """Lock the person, then the item's answers, then the item in its batch, in the order that everything here uses.

    A revision under way is waited for, and the decision includes it; a later one is newer than the decision.
    """
    needs = Capability.MANAGE if source == Adjudication.Source.CONSENSUS else Capability.RESOLVE
    mine = Membership.objects.filter(pk=membership.pk).active_with(needs)
    if not mine.select_for_update(no_key=True).exists():
        raise NotYours
    batch_item = case_batch_item(membership.project, item_uuid)
    done = Assignment.objects.filter(batch_item__in=batch_item_ids_of(batch_item), state__in=Assignment.DONE_STATES)
    list(done.order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    BatchItem.objects.select_for_update(no_key=True).get(pk=batch_item.pk)
    return batch_item


def adjudication_store(
    membership: Membership, batch_item: BatchItem, body: AdjudicationBody, revision: int
) -> Adjudication:
    row = Adjudication.objects.create(
        batch_item=batch_item,
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
        subject=batch_item.item.uuid,
        revision=revision,
        source=body.source,
        labels=dict(body.labels),
    )
    return row
