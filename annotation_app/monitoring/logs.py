"""Write logs as lines of JSON, for programs that collect them. They hold no text, no label and no parameter."""

import logging
import time
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from pythonjsonlogger.json import JsonFormatter

from annotation_app.request_ids import request_id

logger = logging.getLogger("quorum.statements")

# Characters of a slow statement that are logged.
STATEMENT_LENGTH = 500

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class NameRequest(logging.Filter):
    """Give each line the id of its request or job; `-` outside of both."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = request_id() or "-"
        return True


class JsonLines(JsonFormatter):
    """Write a line's time, level, logger, message and request, and what `extra` adds."""

    def __init__(self) -> None:
        super().__init__(
            "%(levelname)s %(name)s %(message)s %(request)s",
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp="time",
        )

    def formatException(self, ei: ExceptionInfo) -> str:
        """Leave the message out: the database's names the values of the row that it refused."""
        kind, _, frames = ei
        return "".join([*traceback.format_tb(frames), kind.__name__ if kind else ""])


def slow_logged(seconds: float) -> Callable[..., Any]:
    """Return a wrapper of the database's statements that logs those which take longer than this."""

    def wrapper(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        began = time.monotonic()
        try:
            return execute(sql, params, many, context)
        finally:
            took = time.monotonic() - began
            if took >= seconds:
                statement = " ".join(sql.split())[:STATEMENT_LENGTH]
                logger.warning("A statement took %.0f ms: %s", 1000 * took, statement)

    return wrapper


def statements_watch(connection: BaseDatabaseWrapper, seconds: float) -> None:
    """Log the connection's slow statements from now on."""
    if not any(
        getattr(each, "__qualname__", "").startswith(slow_logged.__name__) for each in connection.execute_wrappers
    ):
        connection.execute_wrappers.append(slow_logged(seconds))
