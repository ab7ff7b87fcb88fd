"""Reasons for which an annotation is not stored. The API turns these into responses."""

from annotation_app.models import Annotation


class ClientIdReused(Exception):
    """The client's UUID already names another body: a mistake of the client, and never a retry."""


class StaleBase(Exception):
    """The annotation was made from a revision that is no longer the current one."""

    def __init__(self, current: Annotation | None) -> None:
        super().__init__("The answers were changed since this page was loaded.")
        self.current = current


class AnnotationInvalid(ValueError):
    """Bad input: messages by field path, such as `answers.opinion`."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))
        self.errors = errors
