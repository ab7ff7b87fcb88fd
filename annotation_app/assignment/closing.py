"""End a batch with what is there, or give one person's open items of it to somebody else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from annotation_app.assignment.practice import not_passed, not_passed_words
from annotation_app.assignment.selectors import people_progress
from annotation_app.assignment.services import UNANSWERED, assignments_give_back, order_key, restorable
from annotation_app.assignment.slots import slots_free
from annotation_app.assignment.statements import assignment_statement
from annotation_app.models import (
    Annotation,
    Assignment,
    Batch,
    Capability,
    Membership,
    Project,
    User,
    event_write,
    roles_with,
)
from annotation_app.refusals import Refused

CLOSABLE = (Batch.Kind.ROUND, Batch.Kind.PROTOTYPE, Batch.Kind.CHOSEN)
WRONG_KIND = {
    Batch.Kind.SECOND_LOOK: "A second look cannot be closed here. Close it under Disagreements.",
    Batch.Kind.PRACTICE: "This is practice: it is not closed or handed over, and nobody is taken off it.",
}


@dataclass(frozen=True)
class Taker:
    """Name somebody who could take over, or be added for, `items` of the batch."""

    member: Membership
    items: int

    @property
    def is_admin(self) -> bool:
        return self.member.may(Capability.MANAGE)


@dataclass(frozen=True)
class MemberOpenItems:
    """Name a person of the batch with the items that they have not answered."""

    member: Membership
    done: int
    open: int
    # Withdrawn items that could be given back.
    withdrawn: int
    takers: list[Taker]


@dataclass(frozen=True)
class OpenItems:
    """Hold what is open in a batch. `short` counts items with too few answers, `unanswered` those with none."""

    batch: Batch
    open: int
    short: int
    unanswered: int
    people: list[MemberOpenItems]
    # Who could be added for how many items, the batch's people among them where others have items that they lack.
    joiners: list[Taker]


def batch_open_items(batch: Batch) -> OpenItems:
    """Read what closing would withdraw and what could be handed to whom, in a constant number of queries."""
    values = takeable_values(batch)
    is_open = batch.frozen_at is None and batch.closed_at is None
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("short_items"), values)
        short, unanswered = cursor.fetchone()
        cursor.execute(assignment_statement("unanswered"), values)
        open_rows = [annotator for _, annotator in cursor.fetchall()]
        cursor.execute(assignment_statement("takers"), values)
        takers = cursor.fetchall() if is_open else []
        cursor.execute(assignment_statement("joiners"), values)
        joiners = cursor.fetchall() if is_open else []
    progress = people_progress([batch]).get(batch.pk, {})
    returnable = restorable(with_taken_off=True, batch_item__batch=batch)
    withdrawn = dict(returnable.values_list("annotator").annotate(Count("pk")).order_by())
    members = {row.pk: row for row in batch.project.memberships.select_related("user").order_by("number")}
    people = [
        MemberOpenItems(
            member,
            progress[pk].done,
            open_rows.count(pk),
            withdrawn.get(pk, 0),
            [Taker(members[taker], items) for giver, taker, items in sorted(takers) if giver == pk],
        )
        for pk, member in members.items()
        if pk in progress
    ]
    total = batch_open_total(batch)
    could_join = [Taker(members[member], items) for member, items in sorted(joiners)]
    return OpenItems(batch, total, short, unanswered, people, could_join)


def batch_open_total(batch: Batch) -> int:
    return Assignment.objects.filter(batch_item__batch=batch, state__in=UNANSWERED).count()


def batch_lock(batch: Batch, members: Iterable[int]) -> Batch:
    """Hold the project, so that no round starts, and these people, so that nothing of theirs is under way.

    A submit locks its person first, then its assignment; the same order here. Raises Refused where the batch
    can't change any more.
    """
    Project.objects.select_for_update(no_key=True).get(pk=batch.project_id)
    list(Membership.objects.filter(pk__in=list(members)).order_by("pk").select_for_update(no_key=True).values("pk"))
    locked = Batch.objects.select_related("project").get(pk=batch.pk)
    if locked.kind not in CLOSABLE:
        raise Refused("wrong_kind", WRONG_KIND[Batch.Kind(locked.kind)])
    if locked.frozen_at is not None:
        raise Refused("closed", "The next round has begun. This batch can no longer be changed.")
    return locked


def members_of(batch: Batch) -> Iterable[int]:
    rows = Assignment.objects.filter(batch_item__batch=batch)
    return rows.values_list("annotator", flat=True).distinct()


@transaction.atomic
def batch_close(*, batch: Batch, actor: User) -> int:
    """Withdraw all that is not answered, so that nothing waits for the batch; return how many assignments that were.

    An item's majority stays what it is by definition: more than half of the slots that the batch gives an item. One
    with too few answers may so have none. Raises Refused.
    """
    locked = batch_lock(batch, members_of(batch))
    if locked.closed_at is not None:
        raise Refused("closed_already", "This batch is already closed.")
    answered = Annotation.objects.filter(assignment__batch_item__batch=locked).exists()
    if locked.kind == Batch.Kind.ROUND and not answered:
        raise Refused(
            "no_answers", "Nobody has answered yet. Cancel the round instead, so that its items return to the pool."
        )
    rows = list(Assignment.objects.filter(batch_item__batch=locked, state__in=UNANSWERED))
    if not rows:
        raise Refused("complete", "This batch is complete, so there is nothing to close.")
    slots_free(rows, Assignment.State.WITHDRAWN)
    locked.closed_at = timezone.now()
    locked.save(update_fields=["closed_at"])
    event_write(
        verb="batch_closed", project=locked.project, actor_id=actor.pk, subject=locked.uuid, assignments=len(rows)
    )
    return len(rows)


@transaction.atomic
def batch_reopen(*, batch: Batch, actor: User) -> int:
    """Give back what closing withdrew, to those who are still there, and to whoever was taken off. Raises Refused."""
    locked = batch_lock(batch, members_of(batch))
    if locked.closed_at is None:
        raise Refused("not_closed", "This batch is not closed.")
    locked.closed_at = None
    locked.save(update_fields=["closed_at"])
    restored = assignments_give_back(with_taken_off=True, batch_item__batch=locked)
    event_write(
        verb="batch_reopened", project=locked.project, actor_id=actor.pk, subject=locked.uuid, assignments=restored
    )
    return restored


@transaction.atomic
def items_hand_over(*, batch: Batch, giver: UUID, taker: UUID, actor: User) -> int:
    """Give what one person has not answered to somebody who has not had it; return how many items went over.

    Items that the taker has, or has answered, stay where they are. What the giver sends later is refused, as after any
    withdrawal. `giver` and `taker` are memberships' UUIDs. Raises Refused.
    """
    both = {row.uuid: row for row in batch.project.memberships.filter(uuid__in=[giver, taker])}
    if giver == taker or len(both) != 2:
        raise Refused("wrong_people", "Choose two different members of this project.")
    locked = batch_lock(batch, [row.pk for row in both.values()])
    if locked.closed_at is not None:
        raise Refused("closed_already", "This batch is closed. Reopen it first.")
    to = both[taker]
    may_join_check(locked, to)
    rows = rows_to_hand(locked, both[giver], to)
    if not rows:
        raise Refused(
            "nothing_open",
            "The other person has already had every open item of this one: choose somebody else.",
        )
    slots_free(rows, Assignment.State.WITHDRAWN)
    Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(handed_to=to)
    hand_to(locked, to, rows)
    if locked.round is not None:
        locked.round.annotators.add(to)
    event_write(
        verb="items_handed_over",
        project=locked.project,
        actor_id=actor.pk,
        subject=both[giver].uuid,
        to=str(to.uuid),
        to_name=to.user.shown_name,
        items=len(rows),
        batch=str(locked.uuid),
        assignments=[str(row.uuid) for row in rows],
    )
    return len(rows)


def may_join_check(batch: Batch, member: Membership) -> None:
    """Raise Refused where the person, who is locked, may not be given items of the batch."""
    member.refresh_from_db(fields=["is_active", "role"])
    if not member.is_active or not member.may(Capability.RATE):
        raise Refused("wrong_people", "Items can only be given to active members who annotate.")
    if batch.kind == Batch.Kind.ROUND and (missing := not_passed(batch.project, [member])):
        raise Refused("practice", " ".join(not_passed_words(missing)))


def rows_to_hand(batch: Batch, giver: Membership, taker: Membership) -> list[Assignment]:
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("to_hand"), takeable_values(batch) | {"giver": giver.pk, "taker": taker.pk})
        theirs = [pk for (pk,) in cursor.fetchall()]
    rows = Assignment.objects.filter(pk__in=theirs)
    return list(rows.select_related("batch_item__item").order_by("position"))


def takeable_values(batch: Batch) -> dict[str, Any]:
    raters = [str(role) for role in roles_with(Capability.RATE)]
    return {"batch": batch.pk, "project": batch.project_id, "raters": raters}


def hand_to(batch: Batch, taker: Membership, rows: Sequence[Assignment]) -> None:
    """Give the items to the taker, in the order that would be theirs had they been on the batch from its start."""
    ordered = sorted(rows, key=lambda row: order_key(batch, taker, row.batch_item.item.external_id))
    earlier = Assignment.objects.filter(annotator=taker, batch_item__in=[row.batch_item_id for row in rows])
    known = set(earlier.values_list("batch_item", flat=True))
    earlier.update(state=Assignment.State.OPEN, handed_to=None, taken_off=False)
    Assignment.objects.bulk_create(
        Assignment(batch_item_id=row.batch_item_id, annotator=taker, position=position, added=True)
        for position, row in enumerate(ordered, 1)
        if row.batch_item_id not in known
    )
