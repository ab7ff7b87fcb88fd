"""Why an answer stays as it is."""

from enum import StrEnum

from django.db.models import F

from annotation_app.models import Assignment, Batch, Round


class Final(StrEnum):
    """The next round began; a second look at the batch did; the second look was closed; others' answers were seen."""

    ROUND = "round"
    SECOND_LOOK = "second_look"
    LOOK_CLOSED = "look_closed"
    SEEN = "seen"


def why_final(row: Assignment) -> Final | None:
    """Of a row that came with its batch; None while the answer may be changed."""
    if row.batch_item.batch.frozen_at is not None:
        return why_frozen(row.batch_item.batch_id)
    return Final.SEEN if row.answers_shown_at is not None else None


def why_frozen(batch_id: int) -> Final:
    """A round freezes at its own moment of creation; what else freezes is a second look's beginning or end."""
    batch = Batch.objects.select_related("second_look").get(pk=batch_id)
    began = Round.objects.filter(project__batches=batch, created_at=F("project__batches__frozen_at"))
    if began.exclude(state=Round.State.CANCELLED).exists():
        return Final.ROUND
    if batch.kind == Batch.Kind.SECOND_LOOK:
        return Final.LOOK_CLOSED
    return Final.SECOND_LOOK if hasattr(batch, "second_look") else Final.ROUND
