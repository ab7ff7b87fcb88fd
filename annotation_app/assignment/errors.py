"""Why a service did not do what was asked. The API turns these into answers."""


class NotYours(LookupError):
    """It does not exist, or is none of this person's business: the caller must not be able to tell which."""


class BatchInvalid(ValueError):
    """A batch that cannot be opened as asked."""


class BatchClosed(Exception):
    """The next round has frozen the batch: no label of it changes any more."""


class AssignmentWithdrawn(Exception):
    """The assignment was taken back when its annotator was deactivated."""


class AlreadyAnswered(Exception):
    """Only a claimed, unanswered item can be given back."""
