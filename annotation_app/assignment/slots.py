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

from annotation_app.assignment.open_batch import BatchFacts, OpenWork
from annotation_app.models import Assignment, BatchItem

COLUMNS = [str(field.attname) for field in Assignment._meta.concrete_fields]

# What was never in this person's hands comes first, then what was given back, the longest ago first.
MINE_TO_COME = """
SELECT a.id FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
WHERE a.annotator_id = %(member)s AND i.batch_id = %(batch)s AND a.state = 'open'
"""
ORDER = "ORDER BY a.claimed_at NULLS FIRST, a.position LIMIT %(need)s"

SEAT = """
(SELECT count(*) + 1 FROM annotation_app_assignment seat WHERE seat.batch_item_id = a.batch_item_id AND seat.id < a.id)
"""
LOWEST_FREE = """
(SELECT min(slot) FROM generate_series(1, %(k)s) AS slot WHERE NOT EXISTS (
    SELECT 1 FROM annotation_app_assignment taken WHERE taken.batch_item_id = a.batch_item_id AND taken.slot = slot.slot
))
"""
ITEM_HAS_SLOT = """
AND %(k)s > (
    SELECT count(*) FROM annotation_app_assignment taken
    WHERE taken.batch_item_id = a.batch_item_id AND taken.slot IS NOT NULL
)
"""

CLAIM = "UPDATE annotation_app_assignment a SET state = 'claimed', claimed_at = %(now)s, slot = "
RETURNING = f"RETURNING {', '.join(f'a.{column}' for column in COLUMNS)}"
CLAIM_SEATS = f"{CLAIM} {SEAT} WHERE a.id IN ({MINE_TO_COME} {ORDER}) {RETURNING}"
# SKIP LOCKED: an item that somebody else is taking this moment is left to them, and nobody waits while holding a lock.
PICK = f"{MINE_TO_COME} {ITEM_HAS_SLOT} {ORDER} FOR NO KEY UPDATE OF i SKIP LOCKED"
PICK_ONE_WAITING = f"{MINE_TO_COME} {ITEM_HAS_SLOT} {ORDER} FOR NO KEY UPDATE OF i"
CLAIM_FREE = f"{CLAIM} {LOWEST_FREE} WHERE a.id = ANY(%(picked)s) {ITEM_HAS_SLOT} {RETURNING}"

# What was in hand before and what is new, in the person's order: a claim and the reading of it are one statement.
NOTHING_NEW = f"SELECT {', '.join(COLUMNS)} FROM annotation_app_assignment WHERE false"
IN_HAND = """
WITH new AS ({new})
SELECT i.item_id, rows.* FROM (
    SELECT * FROM new
    UNION ALL
    SELECT {columns} FROM annotation_app_assignment WHERE annotator_id = %(member)s AND state = 'claimed'
) AS rows
JOIN annotation_app_batchitem i ON i.id = rows.batch_item_id AND i.batch_id = %(batch)s
ORDER BY rows.position
"""


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
    if need <= 0:
        claim = NOTHING_NEW
    elif not facts.k_of_n:
        claim = CLAIM_SEATS
    else:
        claim = CLAIM_FREE
        values["picked"] = ids(PICK_ONE_WAITING if wait else PICK, values)
    with connection.cursor() as cursor:
        cursor.execute(IN_HAND.format(new=claim, columns=", ".join(COLUMNS)), values)
        return [row_in_hand(standing.batch_id, item, columns) for item, *columns in cursor.fetchall()]


def row_in_hand(batch_id: int, item_id: int, columns: list[Any]) -> Assignment:
    row = Assignment.from_db(connection.alias, COLUMNS, columns)
    link = [row.batch_item_id, batch_id, item_id]
    row.batch_item = BatchItem.from_db(connection.alias, ["id", "batch_id", "item_id"], link)
    return row


def ids(statement: str, values: dict[str, Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [row[0] for row in cursor.fetchall()]


def slot_for_late_answer(*, assignment_id: int, batch_item_id: int, facts: BatchFacts) -> int | None:
    """Return a slot for an answer without one: the fixed slot, or with k of n the lowest free one, if there is one."""
    if not facts.k_of_n:
        return free_slot(SEAT, assignment_id, facts.annotators_per_item)
    BatchItem.objects.select_for_update(no_key=True).get(pk=batch_item_id)
    return free_slot(LOWEST_FREE, assignment_id, facts.annotators_per_item)


def free_slot(expression: str, assignment_id: int, annotators_per_item: int) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {expression} FROM annotation_app_assignment a WHERE a.id = %(assignment)s",
            {"assignment": assignment_id, "k": annotators_per_item},
        )
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
            row.slot = free_slot(LOWEST_FREE, row.pk, item.batch.annotators_per_item)
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
