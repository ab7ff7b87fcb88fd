"""Define why a release is not finished."""


class ReleaseFailed(Exception):
    """Signal that a release could not be finished; the message says why and what to do, and stands in the row."""
