"""How errors look to the browser: `{"detail", "errors": {field: [message]}}`, and a code where it can act on one."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, JsonResponse
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation_app.api.parsers import BodyTooLarge

logger = logging.getLogger(__name__)


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


class DatabaseAway(APIException):
    """503: the same request may succeed in a moment."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_detail = "The database does not answer: try again in a moment."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    response = exception_handler(known(error), context)
    if response is None:
        return None
    if isinstance(error, Conflict | BadInput):
        response.data = error.body
    elif isinstance(error, ValidationError):
        response.data = {"detail": "Some fields need mending.", "errors": dict(flat(error.detail))}
    response.data = printable(response.data)
    return response


def known(error: Exception) -> Exception:
    """What Django would answer with a page of its own, as an answer of this API."""
    if isinstance(error, RequestDataTooBig):
        return BodyTooLarge()
    if isinstance(error, TooManyFieldsSent | TooManyFilesSent):
        return ParseError(str(error))
    if isinstance(error, OperationalError | InterfaceError):
        logger.warning("The database does not answer: %s", error)
        return DatabaseAway()
    return error


def printable(value: Any) -> Any:
    """The same answer with lone surrogates written out: a message may repeat what was sent, and must be sendable."""
    if isinstance(value, dict):
        return {printable(key): printable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [printable(part) for part in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def csrf_refused(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Django's own answer to a missing token is a page."""
    return JsonResponse({"detail": f"CSRF Failed: {reason}"}, status=403)


def locked_out(request: HttpRequest, *_: Any) -> JsonResponse:
    """Too many wrong passwords for this name from this address."""
    detail = "Too many wrong passwords for this name from here: wait a quarter of an hour."
    return JsonResponse({"detail": detail}, status=429)


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
