"""Blind people who annotate and decide: revealing others' answers to an item locks the reader's own.

A reveal is recorded for frozen batches too. A cancelled round opens its batch again, and a second look is only given
to people who have seen nothing.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum

from django.db import connection, transaction
from django.db.models import Count, F, QuerySet
from django.utils import timezone

from annotation_app.assignment.statements import assignment_statement
from annotation_app.models import Annotation, Assignment, Batch, Event, Membership, Round, Scope, event_write
from annotation_app.refusals import Refused

ANSWERED = (*Assignment.DONE_STATES, Assignment.State.SURPLUS)


class LockReason(StrEnum):
    """Name what locked an answer: the next round, a second look, its closing, others' answers, or a practice's key."""

    ROUND = "round"
    SECOND_LOOK = "second_look"
    LOOK_CLOSED = "look_closed"
    SEEN = "seen"
    KEY = "key"


LOCK_REASON_TEXTS = {
    LockReason.ROUND: "The next round has begun. Answers in this batch can no longer be changed.",
    LockReason.SECOND_LOOK: "A second look at this batch has begun. The answers before it can no longer be changed.",
    LockReason.LOOK_CLOSED: "This second look is closed. Its answers can no longer be changed.",
    LockReason.SEEN: "You have seen the others' answers to this item. Your own answer can no longer be changed.",
    LockReason.KEY: "This is practice, and you have seen the key. Your answer can no longer be changed.",
}
NEVER_ANSWERED = "You have seen the others' answers to this item. You can no longer answer it yourself."
ANSWER_FIRST = "You still have to answer this item yourself. Until then, other people's answers stay hidden from you."
OWN_ANSWER = "You answered this item yourself. Once you see the others' answers, you can no longer change your own."
READ_TOKEN = "This hands items out or shows others' answers, which is written down. It takes a token of scope “label”."
OWN_ITEM = "This item is or was yours to answer. Once you see what others answer, you can no longer answer it yourself."


def hidden_items(reader: Membership) -> dict[int, bool]:
    """Return the hidden items by batch item id of the round: true where the reader has answered all that is theirs."""
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("hidden_items"), {"reader": reader.pk})
        return dict(cursor.fetchall())


@transaction.atomic
def reveal_answers(
    *, reader: Membership, batch_items: Collection[int], subject: object, lock_own: bool, ask_if_withdrawn: bool = False
) -> None:
    """Lock the reader's own answers to these items. Call it before any response that holds other people's answers.

    `lock_own` says that the reader agreed to the lock. Raises Refused where they still have an answer to give
    (answer_first), and where theirs can be revised and they have not agreed (own_answer). Nothing is written then.
    With `ask_if_withdrawn` it asks too where the item was theirs, or went to others before they had it in hand.

    Who has no assignment has nothing to lock. The event keeps them from getting the item later (sql/takeable.sql).
    """
    if not unrevealed(reader, batch_items).exists() and not is_first_look(reader, batch_items, subject):
        return
    scope_check(reader)
    # Lock the person first, as a submit does: a submit under way is waited for, and a later one finds the reveal.
    Membership.objects.select_for_update(no_key=True).get(pk=reader.pk)
    rows = list(unrevealed(reader, batch_items))
    if not rows:
        if is_first_look(reader, batch_items, subject):
            shown_write(reader, rows, subject)
        return
    live = [row for row in rows if row.batch_item.batch.frozen_at is None]
    if any(is_pending(row) for row in live):
        raise Refused("answer_first", ANSWER_FIRST)
    answered = any(row.state in ANSWERED for row in live)
    if not lock_own and (answered or (ask_if_withdrawn and live)):
        raise Refused("own_answer", OWN_ANSWER if answered else OWN_ITEM)
    record_reveal(reader, rows, subject)


def scope_check(member: Membership) -> None:
    """Raise Refused where the request came with a token that only reads: what it asks for has to be written down."""
    if member.scope == Scope.READ:
        raise Refused("read_token", READ_TOKEN)


def is_first_look(reader: Membership, batch_items: Collection[int], subject: object) -> bool:
    """Tell whether there is something of others to see, and no event says that the reader has seen the subject."""
    answers = Annotation.objects.filter(assignment__batch_item__in=batch_items)
    if not answers.exclude(assignment__annotator=reader).exists():
        return False
    seen = Event.objects.filter(project=reader.project_id, subject=str(subject), verb="answers_shown")
    return not seen.filter(actor=reader.user_id).exists()


def unrevealed(reader: Membership, batch_items: Collection[int]) -> QuerySet[Assignment]:
    """Return the reader's assignments to these items before any reveal; `taken` counts the item's taken slots.

    Withdrawn assignments are included: one that is restored later must not be answered by somebody who has seen the
    other answers.
    """
    rows = Assignment.objects.filter(annotator=reader, batch_item__in=batch_items, answers_revealed_at__isnull=True)
    return rows.select_related("batch_item__batch").annotate(taken=Count("batch_item__assignments__slot"))


def is_pending(row: Assignment) -> bool:
    """Tell whether the assignment is claimed, or could still be claimed because its item has a free slot."""
    if row.state == Assignment.State.OPEN:
        return bool(row.taken < row.batch_item.batch.annotators_per_item)  # type: ignore[attr-defined]
    return row.state == Assignment.State.CLAIMED


def record_reveal(reader: Membership, rows: Sequence[Assignment], subject: object) -> None:
    """Write the reveal and its event. The caller's transaction must hold the reader's lock."""
    fresh = Assignment.objects.filter(pk__in=[row.pk for row in rows], answers_revealed_at__isnull=True)
    if fresh.update(answers_revealed_at=timezone.now()):
        shown_write(reader, rows, subject)


def shown_write(reader: Membership, rows: Sequence[Assignment], subject: object) -> None:
    event_write(
        verb="answers_shown",
        project=reader.project,
        actor_id=reader.user_id,
        subject=subject,
        assignments=[str(row.uuid) for row in rows],
    )


def lock_reason(row: Assignment) -> LockReason | None:
    """Return why the answer is locked; None while it may be revised. `row` must come with its batch loaded."""
    if row.batch_item.batch.kind == Batch.Kind.PRACTICE:
        is_over = row.answers_revealed_at is not None or row.batch_item.batch.frozen_at is not None
        return LockReason.KEY if is_over else None
    if row.batch_item.batch.frozen_at is not None:
        return freeze_reason(row.batch_item.batch_id)
    return LockReason.SEEN if row.answers_revealed_at is not None else None


def freeze_reason(batch_id: int) -> LockReason:
    """Return what froze the batch: a round freezes at its own creation time, all else is a second look's."""
    batch = Batch.objects.select_related("second_look").get(pk=batch_id)
    if batch.kind == Batch.Kind.PRACTICE:
        return LockReason.KEY
    began = Round.objects.filter(project__batches=batch, created_at=F("project__batches__frozen_at"))
    if began.exclude(state=Round.State.CANCELLED).exists():
        return LockReason.ROUND
    if batch.kind == Batch.Kind.SECOND_LOOK:
        return LockReason.LOOK_CLOSED
    return LockReason.SECOND_LOOK if hasattr(batch, "second_look") else LockReason.ROUND


def lock_reason_text(reason: LockReason, *, answered: bool = True) -> str:
    """Return why the person's answer is locked, or why none is accepted any more."""
    return LOCK_REASON_TEXTS[reason] if answered or reason != LockReason.SEEN else NEVER_ANSWERED


def locked_refusal(reason: LockReason, *, answered: bool = True) -> Refused:
    """Return the refusal of an answer that is locked. `answered` tells whether there is an earlier answer."""
    is_seen = reason in (LockReason.SEEN, LockReason.KEY)
    return Refused("seen" if is_seen else "closed", lock_reason_text(reason, answered=answered))
