"""Turn errors into `{"detail", "errors": {field: [message]}}`, with a code where the browser can act on one."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from psycopg2.errors import ExclusionViolation, ForeignKeyViolation, UniqueViolation
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation_app.api.guesses import names_failed
from annotation_app.api.parsers import BodyTooLarge
from annotation_app.db.constraints import constraint_of
from annotation_app.disk import WORDS, is_full
from annotation_app.refusals import Invalid, NotYours, Refused

logger = logging.getLogger(__name__)

# Two people at once: each rule that a service checks stands in the database as well, which lets one of them through.
MEANWHILE = (UniqueViolation, ExclusionViolation, ForeignKeyViolation)
CHANGED = "Somebody else changed the same thing at the same moment, so your change was not saved. Look at it again."


class DatabaseAway(APIException):
    """Answer 503: the same request may succeed in a moment."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_detail = "The database does not answer. Try again in a moment."


class DiskFull(APIException):
    """Answer 507: a file could not be stored."""

    status_code = status.HTTP_507_INSUFFICIENT_STORAGE
    default_detail = WORDS


class DatabaseFull(DatabaseAway):
    """Answer 503, because browsers keep what was not saved and send it again once there is room."""

    default_detail = WORDS


class BodyLate(APIException):
    """Answer 408: the client went away, or sent too slowly."""

    status_code = status.HTTP_408_REQUEST_TIMEOUT
    default_detail = "The request did not arrive in time. Send it again."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an error; None for one that is a fault of the server."""
    error = known(error)
    if isinstance(error, Invalid):
        body = {"detail": error.detail, "errors": error.errors}
        return Response(printable(body), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, Refused):
        body = {"code": error.code, "detail": str(error), **error.more}
        return Response(printable(body), status=status.HTTP_409_CONFLICT)
    response = exception_handler(error, context)
    if response is not None:
        response.data = printable(error.body if isinstance(error, BodyTooLarge) else response.data)
    return response


def known(error: Exception) -> Exception:
    """Turn what Django would answer with a page of its own into a response of this API."""
    if is_full(error):
        logger.error("The disk is full: %s", error)
        return DatabaseFull() if isinstance(error, DatabaseError) else DiskFull()
    if isinstance(error, IntegrityError) and isinstance(error.__cause__, MEANWHILE):
        # Its message has the values of the row.
        logger.warning("The database refused what a check had let through, by its rule %s", constraint_of(error))
        return Refused("changed_meanwhile", CHANGED)
    if isinstance(error, ValidationError):
        return Invalid(dict(flat(error.detail)))
    if isinstance(error, NotYours):
        return Http404()
    if isinstance(error, RequestDataTooBig):
        return BodyTooLarge(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if isinstance(error, UnreadablePostError):
        return BodyLate()
    if isinstance(error, TooManyFieldsSent | TooManyFilesSent):
        return ParseError(str(error))
    if isinstance(error, OperationalError | InterfaceError):
        logger.warning("The database does not answer: %s", error)
        return DatabaseAway()
    return error


def printable(value: Any) -> Any:
    """Return the same response with lone surrogates written out.

    A message may repeat what was sent, and must be sendable.
    """
    if isinstance(value, dict):
        return {printable(key): printable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [printable(part) for part in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def csrf_refused(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Refuse a missing token in JSON; Django's own answer is a page."""
    return JsonResponse({"detail": f"CSRF Failed: {reason}"}, status=403)


def locked_out(request: HttpRequest, *_: Any) -> JsonResponse:
    """Refuse a sign-in after too many wrong passwords for this name from this address, or for too many names."""
    wait = round(settings.AXES_COOLOFF_TIME * 3600)
    what = "for many names" if names_failed(request) >= settings.NAMES_FAILED_LIMIT else "for this name"
    detail = f"Too many wrong passwords {what} came from here. Wait {wait // 60} minutes, then try again."
    return JsonResponse({"detail": detail}, status=429, headers={"Retry-After": str(wait)})


def flat(detail: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """Return DRF's nested messages as (field path, messages) pairs."""
    if isinstance(detail, dict):
        return [pair for key, value in detail.items() for pair in flat(value, f"{path}.{key}" if path else str(key))]
    if isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        return [pair for index, value in enumerate(detail) for pair in flat(value, f"{path}[{index}]")]
    messages = detail if isinstance(detail, list) else [detail]
    return [(path or "non_field_errors", [str(message) for message in messages])]


class ErrorBody(serializers.Serializer):
    """Describe the body of every error response. `code` and more come only with 409."""

    detail = serializers.CharField()
    # A field of that name hides the serializer's own `errors`, which nothing asks for: it only describes.
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False
    )
    code = serializers.CharField(required=False)


# What every route of a project's admins or adjudicators may answer.
ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}
UPLOAD_ERRORS = {413: ErrorBody, 429: ErrorBody, 507: ErrorBody}
