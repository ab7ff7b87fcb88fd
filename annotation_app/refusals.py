"""Define the reasons for which a service refuses. The API answers each of these kinds in one place."""

from typing import Any


class NotYours(LookupError):
    """Hide what does not exist, or is none of this person's business; a caller cannot tell which (404)."""


class Invalid(ValueError):
    """Refuse input (400): `errors` are messages by field path, such as `answers.opinion`; `detail` says it in short."""

    def __init__(self, errors: dict[str, list[str]], detail: str = "Some fields need to be corrected.") -> None:
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))
        self.errors = errors
        self.detail = detail


class Refused(Exception):
    """Refuse what the state of things does not allow (409).

    `code` is for programs, the message for people; `more` is what a client needs to go on.
    """

    def __init__(self, code: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.more = more
