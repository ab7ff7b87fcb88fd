"""Take a person off an open batch, and put them back on it."""

from uuid import UUID

from django.db import transaction

from annotation_app.assignment.closing import batch_lock
from annotation_app.assignment.services import UNANSWERED, assignments_give_back
from annotation_app.assignment.slots import slots_free
from annotation_app.models import Assignment, Batch, Membership, User, event_write
from annotation_app.refusals import Refused


@transaction.atomic
def person_take_off(*, batch: Batch, person: UUID, actor: User) -> int:
    """Withdraw what the person has not answered in the batch, so that it waits no longer for them.

    What they answered stays and may still be revised. Returns how many assignments were withdrawn. Raises Refused: the
    last person with open items is not taken off, since the batch would end so (`batch_close` does that).
    """
    member = member_of(batch, person)
    locked = batch_lock(batch, [member.pk])
    waiting = Assignment.objects.filter(batch_item__batch=locked, state__in=UNANSWERED)
    rows = list(waiting.filter(annotator=member))
    if not rows:
        raise Refused("nothing_open", f"{member.user.shown_name} has no open item in this batch.")
    if not waiting.exclude(annotator=member).exists():
        raise Refused(
            "last_person",
            f"Only {member.user.shown_name} has open items. Hand them over, or close the batch with what is there.",
        )
    slots_free(rows, Assignment.State.WITHDRAWN)
    # What had been withdrawn before, with an item that was left out, comes back no more than the rest.
    theirs = Assignment.objects.filter(batch_item__batch=locked, annotator=member, state=Assignment.State.WITHDRAWN)
    theirs.update(taken_off=True)
    event_write(
        verb="person_taken_off",
        project=locked.project,
        actor_id=actor.pk,
        subject=member.uuid,
        kind=locked.kind,
        number=locked.number,
        assignments=len(rows),
    )
    return len(rows)


@transaction.atomic
def person_put_back(*, batch: Batch, person: UUID, actor: User) -> int:
    """Give the person back what was withdrawn from them and nobody else got; return how many. Raises Refused."""
    member = member_of(batch, person)
    locked = batch_lock(batch, [member.pk])
    restored = assignments_give_back(with_taken_off=True, batch_item__batch=locked, annotator=member)
    if not restored:
        raise Refused("nothing_withdrawn", f"There is nothing to give back to {member.user.shown_name}.")
    event_write(
        verb="person_put_back",
        project=locked.project,
        actor_id=actor.pk,
        subject=member.uuid,
        kind=locked.kind,
        number=locked.number,
        assignments=restored,
    )
    return restored


def member_of(batch: Batch, person: UUID) -> Membership:
    member = batch.project.memberships.select_related("user").filter(uuid=person).first()
    if member is None:
        raise Refused("wrong_people", "Choose a member of this project.")
    return member
