"""Define refusals as exceptions, apart from `errors`, which the framework loads later than access rules."""

from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException


class Conflict(APIException):
    """Answer 409: the request does not fit the state of things. `code` names the case, `extra` is what mends it."""

    status_code = status.HTTP_409_CONFLICT

    def __init__(self, code: str, detail: str, **extra: Any) -> None:
        super().__init__(detail, code)
        self.body = {"code": code, "detail": detail, **extra}


class BadInput(APIException):
    """Answer 400 with messages by field path."""

    status_code = status.HTTP_400_BAD_REQUEST

    def __init__(self, errors: dict[str, list[str]], detail: str = "Some fields need mending.") -> None:
        super().__init__(detail)
        self.body = {"detail": detail, "errors": errors}
