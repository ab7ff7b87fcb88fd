"""Claim and free slots: which of the n people on a batch are the k who answer an item.

Where everybody labels every item, each person has a fixed slot (a "seat"), so that nobody waits. With k of n, a claim
locks the item's row in the batch, and a statement that starts after the lock looks up the free slot: only then does it
see every slot taken before. Freeing a slot needs no lock.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from annotation_app.assignment.open_batch import OpenWork
from annotation_app.assignment.statements import (
    claim_free_statement,
    claim_seats_statement,
    in_hand_statement,
    pick_statement,
    slot_statement,
)
from annotation_app.models import Assignment, BatchItem

COLUMNS = [str(field.attname) for field in Assignment._meta.concrete_fields]


def slots_claim(*, membership_id: int, standing: OpenWork, need: int, wait: bool) -> list[Assignment]:
    """Claim up to `need` of the person's open rows in their order, inside the caller's transaction.

    Return all that they have in hand then, each with the ids of its `batch_item`. `wait` stands in line for one item
    that others are taking; the caller must hold no item's lock then.
    """
    facts = standing.batch
    values: dict[str, Any] = {
        "member": membership_id,
        "batch": standing.batch_id,
        "k": facts.annotators_per_item,
        "need": 1 if wait else need,
        "now": timezone.now(),
    }
    with connection.cursor() as cursor:
        if need <= 0:
            claim = in_hand_statement()
        elif not standing.k_of_n:
            claim = claim_seats_statement()
        else:
            claim = claim_free_statement()
            cursor.execute(pick_statement(wait=wait), values)
            values["picked"] = [assignment for (assignment,) in cursor.fetchall()]
        cursor.execute(claim, values)
        columns = [column.name for column in cursor.description]
        return [row_in_hand(standing.batch_id, dict(zip(columns, row, strict=True))) for row in cursor.fetchall()]


def row_in_hand(batch_id: int, row: dict[str, Any]) -> Assignment:
    assignment = Assignment.from_db(connection.alias, COLUMNS, [row[column] for column in COLUMNS])
    link = [assignment.batch_item_id, batch_id, row["item_id"]]
    assignment.batch_item = BatchItem.from_db(connection.alias, ["id", "batch_id", "item_id"], link)
    return assignment


def slot_for_late_answer(*, assignment_id: int, batch_item_id: int, slots: int, k_of_n: bool) -> int | None:
    """Return a slot for an answer without one: the fixed slot, or with k of n the lowest free one, if there is one."""
    if k_of_n:
        BatchItem.objects.select_for_update(no_key=True).get(pk=batch_item_id)
    return slot_of(assignment_id, slots, k_of_n=k_of_n)


def slot_of(assignment_id: int, annotators_per_item: int, *, k_of_n: bool) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(slot_statement(k_of_n=k_of_n), {"picked": [assignment_id], "k": annotators_per_item})
        return cursor.fetchone()[0]


def surplus_promote(batch_item_ids: Iterable[int]) -> None:
    """Give slots that became free to answers that came too late for one, first come first served.

    Without this a batch would wait for ever for a slot whose answer it already has.
    """
    surplus = Assignment.objects.filter(state=Assignment.State.SURPLUS)
    items = BatchItem.objects.filter(pk__in=surplus.filter(batch_item__in=list(batch_item_ids)).values("batch_item"))
    for item in items.select_related("batch").order_by("pk").select_for_update(no_key=True, of=("self",)):
        # A locked row is being revised this moment, and takes the slot by itself.
        rows = surplus.filter(batch_item=item).select_related("current").order_by("done_at", "pk")
        for row in rows.select_for_update(no_key=True, of=("self",), skip_locked=True):
            row.slot = slot_of(row.pk, item.batch.annotators_per_item, k_of_n=True)
            if row.slot is None:
                break
            skipped = row.current is not None and row.current.skip_reason
            row.state = Assignment.State.SKIPPED if skipped else Assignment.State.SUBMITTED
            row.save(update_fields=["slot", "state"])


def slots_free(rows: Sequence[Assignment], state: Assignment.State) -> None:
    """Take the rows' slots away, inside the caller's transaction, and offer them to surplus answers."""
    Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(state=state, slot=None)
    surplus_promote(row.batch_item_id for row in rows)


def idle_claims(*, batch_id: int, before: datetime, sparing: int | None) -> list[Assignment]:
    """Return claims untouched since `before`, locked, without those of the membership `sparing`.

    A row that is locked already is being answered this moment, so it is not idle.
    """
    rows = Assignment.objects.filter(batch_item__batch=batch_id, state=Assignment.State.CLAIMED, claimed_at__lt=before)
    return list(rows.exclude(annotator=sparing).select_for_update(no_key=True, of=("self",), skip_locked=True))
