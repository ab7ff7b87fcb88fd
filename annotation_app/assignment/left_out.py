"""Take items out of the pool with a reason, and put them back."""

from collections.abc import Sequence

from django.db import transaction

from annotation_app.assignment.practice import attempts_end
from annotation_app.assignment.services import UNANSWERED, assignments_give_back
from annotation_app.assignment.slots import slots_free
from annotation_app.ingest.pool import choosing_reason, pool_lock
from annotation_app.models import Assignment, Item, Membership, Project, User, event_write
from annotation_app.refusals import Refused

KEPT = "item_kept"
NEVER = {
    Item.LeftOut.TOO_SHORT: "This item is too short for the pool, so nobody is given it.",
    Item.LeftOut.TOO_LONG: "This item is too long for the pool, so nobody is given it.",
}


@transaction.atomic
def item_leave_out(*, item: Item, reason: str, actor: User) -> int:
    """Take the item out of the pool: it is never drawn again, and no later round learns from it.

    Whoever has not answered it is not given it any more, whether they had it in hand or not; returned is how many these
    are. Answers that were given stay, count in agreement and majorities, and may still be revised. Raises Refused.
    """
    item = item_lock(item)
    if item.left_out == Item.LeftOut.BY_ADMIN:
        raise Refused(KEPT, "This item is already left out.")
    if item.left_out:
        raise Refused(KEPT, NEVER[Item.LeftOut(item.left_out)])
    withdrawn = items_leave_out([item.pk], reason.strip())
    event_write(
        verb="item_left_out",
        project=item.project,
        actor_id=actor.pk,
        subject=item.uuid,
        reason=reason.strip(),
        assignments=withdrawn,
    )
    return withdrawn


@transaction.atomic
def item_take_back(*, item: Item, actor: User) -> int:
    """Put the item back into the pool, or back to those who had not answered it in a batch that is still open."""
    item = item_lock(item)
    if item.left_out != Item.LeftOut.BY_ADMIN:
        raise Refused(KEPT, "This item was not left out by an admin.")
    restored = items_take_back([item.pk])
    event_write(
        verb="item_taken_back", project=item.project, actor_id=actor.pk, subject=item.uuid, assignments=restored
    )
    return restored


def items_leave_out(items: Sequence[int], reason: str) -> int:
    """Mark items of the pool as left out, and withdraw what is not answered; return how many assignments that were.

    The caller's transaction holds the locks of `items_lock` and writes the event.
    """
    Item.objects.filter(pk__in=items).update(left_out=Item.LeftOut.BY_ADMIN, left_out_reason=reason)
    open_rows = Assignment.objects.filter(
        batch_item__item__in=items, batch_item__batch__frozen_at__isnull=True, state__in=UNANSWERED
    )
    rows = list(open_rows.select_related("batch_item"))
    slots_free(rows, Assignment.State.WITHDRAWN)
    attempts_end({row.batch_item.batch_id for row in rows})
    return len(rows)


def items_take_back(items: Sequence[int]) -> int:
    """Put items that were left out back, as `items_leave_out` took them; return how many assignments came back."""
    Item.objects.filter(pk__in=items).update(left_out="", left_out_reason="")
    return assignments_give_back(batch_item__item__in=items)


def item_lock(item: Item) -> Item:
    items_lock(item.project, [item.pk])
    return Item.objects.select_for_update(no_key=True, of=("self",)).select_related("project").get(pk=item.pk)


def items_lock(project: Project, items: Sequence[int]) -> None:
    """Lock the project, so that no round or batch draws, then everybody who has an item, so that nobody submits it.

    Raises Refused where a round may choose what it has read.
    """
    pool_lock(project)
    if reason := choosing_reason(project):
        raise Refused(KEPT, reason)
    people = Assignment.objects.filter(batch_item__item__in=items).values("annotator")
    list(Membership.objects.filter(pk__in=people).order_by("pk").select_for_update(no_key=True).values("pk"))
