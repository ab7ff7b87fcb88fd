"""Reasons for which a decision is not stored. The API turns these into responses."""

from annotation_app.models import Adjudication


class DecisionInvalid(ValueError):
    """Bad input: messages by field path, such as `labels.opinion`."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))
        self.errors = errors


class DecisionStale(Exception):
    """The decision was made from one that is no longer the latest."""

    def __init__(self, latest: Adjudication | None) -> None:
        super().__init__("Somebody decided about this item since this page was loaded.")
        self.latest = latest


class UnknownStage(ValueError):
    """No published codebook has the stage that was named."""

    def __init__(self, stage: str) -> None:
        super().__init__(f"No published codebook has a stage {stage!r}.")


class NotReady(Exception):
    """Nobody may look at the answers or decide yet; `code` is waiting, second_look or no_second_look."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
