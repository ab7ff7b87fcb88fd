"""How errors look to the browser: `{"detail", "errors": {field: [message]}}`, and a code where it can act on one."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler


class Conflict(APIException):
    """409: what was asked does not fit the state of things. `code` names the case, `extra` is what mends it."""

    status_code = status.HTTP_409_CONFLICT

    def __init__(self, code: str, detail: str, **extra: Any) -> None:
        super().__init__(detail, code)
        self.body = {"code": code, "detail": detail, **extra}


class BadInput(APIException):
    """400 with messages by field path."""

    status_code = status.HTTP_400_BAD_REQUEST

    def __init__(self, errors: dict[str, list[str]], detail: str = "Some fields need mending.") -> None:
        super().__init__(detail)
        self.body = {"detail": detail, "errors": errors}


class BodyTooLarge(APIException):
    """413: more than DATA_UPLOAD_MAX_MEMORY_SIZE."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is larger than this server takes."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(error, RequestDataTooBig):
        error = BodyTooLarge()
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, Conflict | BadInput):
        response.data = error.body
    elif isinstance(error, ValidationError):
        response.data = {"detail": "Some fields need mending.", "errors": dict(flat(error.detail))}
    return response


def flat(detail: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """DRF's nested messages as (field path, messages) pairs."""
    if isinstance(detail, dict):
        return [pair for key, value in detail.items() for pair in flat(value, f"{path}.{key}" if path else str(key))]
    if isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        return [pair for index, value in enumerate(detail) for pair in flat(value, f"{path}[{index}]")]
    messages = detail if isinstance(detail, list) else [detail]
    return [(path or "non_field_errors", [str(message) for message in messages])]


class ErrorBody(serializers.Serializer):
    """What every error answer carries; `code` and more only with 409."""

    detail = serializers.CharField()
    # A field of that name hides the serializer's own `errors`, which nothing asks for: it only describes.
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False
    )
    code = serializers.CharField(required=False)
