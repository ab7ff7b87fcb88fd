"""Reasons for which a round is not started, restarted or cancelled. The API turns these into responses."""


class RoundInvalid(ValueError):
    """Bad input, with messages by field."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items()))
        self.errors = errors


class RoundUnacceptable(Exception):
    """What a round chose cannot be opened, for a reason that another attempt would meet again."""


class RoundRefused(Exception):
    """The state of things does not allow it now. `code` is round_active, batch_open, worker_down or wrong_state."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
