"""Add a person to an open batch, and say in which order a person's open batches are handed out."""

from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max
from django.utils import timezone

from annotation_app.assignment.closing import batch_lock, may_join_check, members_of, takeable_values
from annotation_app.assignment.open_batch import batch_facts
from annotation_app.assignment.services import order_key
from annotation_app.assignment.statements import assignment_statement
from annotation_app.assignment.taking_off import member_of
from annotation_app.models import Assignment, Batch, Membership, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused

FIRST_PRIORITY, LAST_PRIORITY = 1, 9


@transaction.atomic
def person_add(*, batch: Batch, person: UUID, actor: User) -> int:
    """Let one more person answer what still waits for an answer; return how many items that are. Raises Refused.

    The batch asks for as many answers as before, so that from now on whoever asks first gets a slot. All people of the
    batch are locked meanwhile: no claim of theirs is under way while its rule changes.
    """
    member = member_of(batch, person)
    locked = batch_lock(batch, {*members_of(batch), member.pk})
    if locked.closed_at is not None:
        raise Refused("closed_already", "This batch is closed. Reopen it first.")
    may_join_check(locked, member)
    items = items_to_add(locked, member)
    if not items:
        raise Refused(
            "nothing_to_add",
            f"There is nothing to add: {member.user.shown_name} is on this batch already and has every item that waits "
            "for an answer, or has seen the answers.",
        )
    ordered = sorted(items, key=lambda pk: order_key(locked, member, items[pk]))
    earlier = Assignment.objects.filter(annotator=member, batch_item__batch=locked)
    last = earlier.aggregate(last=Max("position"))["last"] or 0
    Assignment.objects.bulk_create(
        Assignment(batch_item_id=pk, annotator=member, position=position, added=True)
        for position, pk in enumerate(ordered, last + 1)
    )
    Batch.objects.filter(pk=locked.pk).update(people_added=F("people_added") + 1)
    if not batch_facts(locked.pk).k_of_n(locked.people_added):
        # Nobody has waited for these claims before: the idle time of all begins now.
        claims = Assignment.objects.filter(batch_item__batch=locked, state=Assignment.State.CLAIMED)
        claims.update(claimed_at=timezone.now())
    if locked.round is not None:
        locked.round.annotators.add(member)
    event_write(
        verb="person_added",
        project=locked.project,
        actor_id=actor.pk,
        subject=member.uuid,
        kind=locked.kind,
        number=locked.number,
        items=len(ordered),
    )
    return len(ordered)


def items_to_add(batch: Batch, member: Membership) -> dict[int, str]:
    """Return the external ids of the items by the ids of their rows in the batch."""
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("to_add"), takeable_values(batch) | {"member": member.pk})
        return dict(cursor.fetchall())


@transaction.atomic
def batch_priority_set(*, batch: Batch, priority: int, actor: User) -> None:
    """Say when the batch is handed out among a person's open batches: the lowest number first.

    What somebody has in hand already stays theirs. Raises Invalid and Refused.
    """
    writable_lock(batch.project_id)
    locked = Batch.objects.select_related("project").get(pk=batch.pk)
    if not FIRST_PRIORITY <= priority <= LAST_PRIORITY:
        raise Invalid({"priority": [f"Choose {FIRST_PRIORITY} (first) to {LAST_PRIORITY} (last)."]})
    if locked.kind == Batch.Kind.PRACTICE:
        raise Refused("wrong_kind", "A practice that somebody has begun always goes first.")
    if locked.frozen_at is not None:
        raise Refused("closed", "The next round has begun. Nothing of this batch is handed out any more.")
    if locked.priority == priority:
        return
    Batch.objects.filter(pk=locked.pk).update(priority=priority)
    event_write(
        verb="batch_priority_set",
        project=locked.project,
        actor_id=actor.pk,
        subject=locked.uuid,
        kind=locked.kind,
        number=locked.number,
        old=locked.priority,
        new=priority,
    )
