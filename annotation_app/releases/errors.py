"""Reasons for which a release is not made."""


class ReleaseRefused(Exception):
    """It cannot be taken on now. `code` is release_running, worker_down or nothing_to_release."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class ReleaseFailed(Exception):
    """It could not be finished; the message says why and what to do, and stands in the row."""
