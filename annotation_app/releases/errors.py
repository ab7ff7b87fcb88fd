"""Define why a release is not made."""

from annotation_app.refusals import Refused


class ReleaseRefused(Refused):
    """Refuse a release that cannot be made now. `code` is release_running, worker_down or nothing_to_release."""


class ReleaseFailed(Exception):
    """Signal that a release could not be finished; the message says why and what to do, and stands in the row."""
