"""Say why others' answers stay hidden, and why one's own answer is locked."""

from collections.abc import Iterator
from contextlib import contextmanager

from rest_framework import serializers

from annotation_app.api.errors import Conflict
from annotation_app.assignment.errors import AnswerFirst, OwnAnswerOpen
from annotation_app.assignment.locked import LockReason

LOCK_REASON_TEXTS = {
    LockReason.ROUND: "The next round has begun: answers of this batch can't change any more.",
    LockReason.SECOND_LOOK: "A second look at this batch has begun: the answers before it can't change any more.",
    LockReason.LOOK_CLOSED: "This second look is closed: its answers can't change any more.",
    LockReason.SEEN: "You have seen the others' answers to this item, so yours stays as it was.",
}
NEVER_ANSWERED = "You have seen the others' answers to this item, so none of yours is taken any more."
ANSWER_FIRST = "You have this item to answer yourself: until then others' answers stay hidden from you."
OWN_ANSWER = "You answered this item yourself. If you look at the others' answers, yours can no longer be changed."


class OwnAnswerIn(serializers.Serializer):
    own = serializers.ChoiceField(
        choices=["locked"],
        required=False,
        default=None,
        allow_null=True,
        help_text="The reader knows that their own answers can't be changed any more once others' are shown.",
        error_messages={"invalid_choice": "Choose locked, or leave it out."},
    )


def lock_reason_text(final: LockReason, *, answered: bool = True) -> str:
    """Return why the person's answer is locked, or why none is accepted any more."""
    return LOCK_REASON_TEXTS[final] if answered or final != LockReason.SEEN else NEVER_ANSWERED


@contextmanager
def blinding_errors() -> Iterator[None]:
    """Turn the errors of blinding into responses."""
    try:
        yield
    except AnswerFirst as error:
        raise Conflict("answer_first", ANSWER_FIRST) from error
    except OwnAnswerOpen as error:
        raise Conflict("own_answer", OWN_ANSWER) from error
