"""Define why a round is not started, restarted or cancelled."""

from annotation_app.refusals import Invalid, Refused


class RoundInvalid(Invalid):
    """Refuse the settings of a round that cannot be used."""


class RoundUnacceptable(Exception):
    """Signal that what a round chose cannot be opened, for a reason that another attempt would meet again."""


class RoundRefused(Refused):
    """Refuse what is not possible now. `code` is round_active, batch_open, worker_down or wrong_state."""
