"""Reasons for which a simulation is refused."""


class SimulationInvalid(ValueError):
    """Bad input, with messages by field."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items()))
        self.errors = errors


class SimulationRefused(Exception):
    """The state of things does not allow it now. `code` is worker_down, too_many or wrong_state."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
