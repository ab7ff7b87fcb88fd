"""Take an item out of the pool with a reason, and put it back."""

from django.db import transaction

from annotation_app.assignment.closing import UNANSWERED
from annotation_app.assignment.errors import ItemRefused
from annotation_app.assignment.services import restorable
from annotation_app.assignment.slots import slots_free
from annotation_app.ingest.pool import choosing_reason, pool_lock
from annotation_app.models import Assignment, Item, Membership, User, event_write

NEVER = {
    Item.LeftOut.TOO_SHORT: "It is too short for the pool, so that nobody is given it.",
    Item.LeftOut.TOO_LONG: "It is too long for the pool, so that nobody is given it.",
}


@transaction.atomic
def item_leave_out(*, item: Item, reason: str, actor: User) -> int:
    """Take the item out of the pool: it is never drawn again, and no later round learns from it.

    Whoever has not answered it is not given it any more, whether they had it in hand or not; returned is how many these
    are. Answers that were given stay, count in agreement and majorities, and may still be revised. Raises ItemRefused.
    """
    item = item_lock(item)
    if item.left_out == Item.LeftOut.BY_ADMIN:
        raise ItemRefused("It is left out already.")
    if item.left_out:
        raise ItemRefused(NEVER[Item.LeftOut(item.left_out)])
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
        raise ItemRefused("No admin has left it out.")
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
        raise ItemRefused(reason)
    people = Assignment.objects.filter(batch_item__item=item).values("annotator")
    list(Membership.objects.filter(pk__in=people).order_by("pk").select_for_update(no_key=True).values("pk"))
    return Item.objects.select_for_update(no_key=True, of=("self",)).select_related("project").get(pk=item.pk)
