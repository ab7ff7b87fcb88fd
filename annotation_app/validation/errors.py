"""Reasons for which a decision is not stored. The API turns these into responses."""

from annotation_app.models import Annotation, Validation


class DecisionInvalid(ValueError):
    """Bad input: messages by field path, such as `spans[3].comment`."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))
        self.errors = errors


class DecisionStale(Exception):
    """The decision was made from one that is no longer the latest."""

    def __init__(self, latest: Validation | None) -> None:
        super().__init__("Somebody decided about this item since this page was loaded.")
        self.latest = latest


class AnnotationRevised(Exception):
    """What was accepted is no longer what the annotator says."""

    def __init__(self, annotation: Annotation) -> None:
        super().__init__("The annotation was revised since this page was loaded.")
        self.annotation = annotation


class NotReady(Exception):
    """Not every annotation of the item is in, so that nobody may look at those that are."""
