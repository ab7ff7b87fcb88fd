"""Define why a round is not opened."""


class RoundUnacceptable(Exception):
    """Signal that what a round chose cannot be opened, for a reason that another attempt would meet again."""
