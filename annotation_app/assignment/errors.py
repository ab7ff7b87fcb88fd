"""Reasons for which a service refuses. The API turns these into responses."""


class NotYours(LookupError):
    """It does not exist, or is none of this person's business: the caller must not be able to tell which."""


class BatchInvalid(ValueError):
    """A batch that cannot be opened as asked."""


class BatchClosed(Exception):
    """The batch is frozen: no label of it changes any more."""

    def __init__(self, batch_id: int) -> None:
        super().__init__(f"Batch row {batch_id} is frozen.")
        self.batch_id = batch_id


class AnswerSeen(Exception):
    """Others' answers to the item were shown to this person, so that theirs is final; there may be none."""

    def __init__(self, *, answered: bool) -> None:
        super().__init__("Others' answers to this item were shown to its annotator.")
        self.answered = answered


class AnswerFirst(Exception):
    """Others' answers stay hidden from a person who has one of their own to give."""


class OwnAnswerOpen(Exception):
    """Others' answers would be shown to a person whose own can still be changed, and who has not said they know."""


class AssignmentWithdrawn(Exception):
    """The assignment was taken back when its annotator was deactivated."""


class AlreadyAnswered(Exception):
    """Only a claimed, unanswered item can be given back."""


class BatchRefused(Exception):
    """A batch can't be closed, opened again or handed over as asked; `code` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ItemRefused(Exception):
    """An item can't leave the pool or come back now; the message says why."""
