"""JSON bodies with an end: the framework's own parser reads whatever is sent.

The framework loads this module before its views: what imports those must not be imported here.
"""

import io
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser


class BodyTooLarge(APIException):
    """413: more than DATA_UPLOAD_MAX_MEMORY_SIZE."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is larger than this server takes."


class CappedJSON(JSONParser):
    """Reads at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes. Raises BodyTooLarge (413)."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise BodyTooLarge
        try:
            return super().parse(io.BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply.") from error
