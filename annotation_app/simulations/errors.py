"""Define why a simulation is refused."""

from annotation_app.refusals import Invalid, Refused


class SimulationInvalid(Invalid):
    """Refuse the settings of a simulation that cannot be used."""


class SimulationRefused(Refused):
    """Refuse what is not possible now. `code` is worker_down, too_many or wrong_state."""
