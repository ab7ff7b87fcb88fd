"""Tell why an answer is locked."""

from enum import StrEnum

from django.db.models import F

from annotation_app.models import Assignment, Batch, Round


class LockReason(StrEnum):
    """The next round began, a second look began, the second look was closed, or others' answers were revealed."""

    ROUND = "round"
    SECOND_LOOK = "second_look"
    LOOK_CLOSED = "look_closed"
    SEEN = "seen"


def lock_reason(row: Assignment) -> LockReason | None:
    """Return why the answer is locked; None while it may be revised. `row` must come with its batch loaded."""
    if row.batch_item.batch.frozen_at is not None:
        return freeze_reason(row.batch_item.batch_id)
    return LockReason.SEEN if row.answers_shown_at is not None else None


def freeze_reason(batch_id: int) -> LockReason:
    """Return what froze the batch: a round freezes at its own creation time, all else is a second look's."""
    batch = Batch.objects.select_related("second_look").get(pk=batch_id)
    began = Round.objects.filter(project__batches=batch, created_at=F("project__batches__frozen_at"))
    if began.exclude(state=Round.State.CANCELLED).exists():
        return LockReason.ROUND
    if batch.kind == Batch.Kind.SECOND_LOOK:
        return LockReason.LOOK_CLOSED
    return LockReason.SECOND_LOOK if hasattr(batch, "second_look") else LockReason.ROUND
