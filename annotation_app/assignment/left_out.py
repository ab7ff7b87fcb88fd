"""Take an item out of the pool with a reason, and put it back."""

from django.db import transaction

from annotation_app.assignment.closing import UNANSWERED
from annotation_app.assignment.services import restorable
from annotation_app.assignment.slots import slots_free
from annotation_app.ingest.pool import choosing_reason, pool_lock
from annotation_app.models import Assignment, Item, Membership, User, event_write
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
    item.left_out, item.left_out_reason = Item.LeftOut.BY_ADMIN, reason.strip()
    item.save(update_fields=["left_out", "left_out_reason"])
    open_rows = Assignment.objects.filter(
        batch_item__item=item, batch_item__batch__frozen_at__isnull=True, state__in=UNANSWERED
    )
    rows = list(open_rows)
    slots_free(rows, Assignment.State.WITHDRAWN)
    event_write(
        verb="item_left_out",
        project=item.project,
        actor_id=actor.pk,
        subject=item.uuid,
        reason=item.left_out_reason,
        assignments=len(rows),
    )
    return len(rows)


@transaction.atomic
def item_take_back(*, item: Item, actor: User) -> int:
    """Put the item back into the pool, or back to those who had not answered it in a batch that is still open."""
    item = item_lock(item)
    if item.left_out != Item.LeftOut.BY_ADMIN:
        raise Refused(KEPT, "This item was not left out by an admin.")
    item.left_out, item.left_out_reason = "", ""
    item.save(update_fields=["left_out", "left_out_reason"])
    restored = restorable(batch_item__item=item).update(state=Assignment.State.OPEN)
    event_write(
        verb="item_taken_back", project=item.project, actor_id=actor.pk, subject=item.uuid, assignments=restored
    )
    return restored


def item_lock(item: Item) -> Item:
    """Lock the project, so that no round or batch draws, then everybody who has the item, so that nobody submits it."""
    pool_lock(item.project)
    if reason := choosing_reason(item.project):
        raise Refused(KEPT, reason)
    people = Assignment.objects.filter(batch_item__item=item).values("annotator")
    list(Membership.objects.filter(pk__in=people).order_by("pk").select_for_update(no_key=True).values("pk"))
    return Item.objects.select_for_update(no_key=True, of=("self",)).select_related("project").get(pk=item.pk)
