"""Blindness of those who annotate and settle: once others' answers to an item are shown to them, their own is final.

It is written down for frozen batches too: a round that is cancelled opens its batch again, and a second look is only
for people who have not seen.
"""

from collections.abc import Collection, Sequence

from django.db import connection, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from annotation_app.assignment.errors import AnswerFirst, OwnAnswerOpen
from annotation_app.models import Assignment, Membership, event_write

ANSWERED = (*Assignment.DONE_STATES, Assignment.State.SURPLUS)

# Of the rounds' items those whose outcome would tell the reader what they may not know yet: their own answer can still
# be changed, or is still to be given in a second look. `answered` is false where one is still to be given.
OWN_OPEN = """
SELECT coalesce(f.id, i.id), bool_and(a.state IN ('submitted', 'skipped', 'surplus'))
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
LEFT JOIN annotation_app_batchitem f ON f.batch_id = b.second_look_of_id AND f.item_id = i.item_id
WHERE a.annotator_id = %(reader)s AND a.answers_shown_at IS NULL AND b.frozen_at IS NULL
    AND CASE b.kind
        WHEN 'round' THEN a.state IN ('submitted', 'skipped', 'surplus')
        WHEN 'second_look' THEN a.state <> 'withdrawn'
        ELSE false
    END
GROUP BY 1
"""


def own_open(reader: Membership) -> dict[int, bool]:
    """By the item's row in its round's batch: whether the reader has answered everything of it that is theirs."""
    with connection.cursor() as cursor:
        cursor.execute(OWN_OPEN, {"reader": reader.pk})
        return dict(cursor.fetchall())


@transaction.atomic
def answers_show(*, reader: Membership, batch_items: Collection[int], subject: object, settle: bool) -> None:
    """To be called before others' answers to these items are shown: from then on the reader's own stay as they are.

    `settle` says that the reader knows. Raises AnswerFirst where they have an answer to give first, OwnAnswerOpen where
    theirs could still be changed and they have not said that they know; nothing is written then.
    """
    rows = list(unseen(reader, batch_items))
    if not rows:
        return
    # As a submit does: the person first, so that one of theirs under way is waited for, and a later one finds this.
    Membership.objects.select_for_update(no_key=True).get(pk=reader.pk)
    rows = list(unseen(reader, batch_items))
    live = [row for row in rows if row.batch_item.batch.frozen_at is None]
    if any(is_to_come(row) for row in live):
        raise AnswerFirst
    if not settle and any(row.state in ANSWERED for row in live):
        raise OwnAnswerOpen
    shown_write(reader, rows, subject)


def unseen(reader: Membership, batch_items: Collection[int]) -> QuerySet[Assignment]:
    """Give the reader's own rows of these items that nothing was shown of; `taken` counts the item's taken slots.

    Withdrawn rows are among them: one that is given back later must not be answered by who has seen the others.
    """
    rows = Assignment.objects.filter(annotator=reader, batch_item__in=batch_items, answers_shown_at__isnull=True)
    return rows.select_related("batch_item__batch").annotate(taken=Count("batch_item__assignments__slot"))


def is_to_come(row: Assignment) -> bool:
    """In hand, or still to be handed to this person. An item whose slots are all taken is not."""
    if row.state == Assignment.State.OPEN:
        return bool(row.taken < row.batch_item.batch.annotators_per_item)  # type: ignore[attr-defined]
    return row.state == Assignment.State.CLAIMED


def shown_write(reader: Membership, rows: Sequence[Assignment], subject: object) -> None:
    """Within a transaction that has locked the reader."""
    fresh = Assignment.objects.filter(pk__in=[row.pk for row in rows], answers_shown_at__isnull=True)
    if fresh.update(answers_shown_at=timezone.now()):
        event_write(
            verb="answers_shown",
            project=reader.project,
            actor_id=reader.user_id,
            subject=subject,
            assignments=[str(row.uuid) for row in rows],
        )
