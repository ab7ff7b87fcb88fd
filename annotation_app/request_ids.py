"""Name each request, and each job that it starts, by one id in the logs of the web server and the workers."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

HEADER = "X-Request-ID"
# What a proxy may send: no line break and no quote gets into a log.
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request or job that is handled now; empty outside of both."""
    return _current.get()


def id_of(sent: str) -> str:
    """Return the id that a proxy sent, or a new one where it sent none that is well-formed."""
    return sent if WELL_FORMED.fullmatch(sent) else secrets.token_hex(12)


def name_from_now(identity: str) -> None:
    """Log under this id until another one is given, as a worker does that has one job at a time."""
    _current.set(identity)


@contextmanager
def named(identity: str) -> Iterator[None]:
    """Handle a request or a job under this id."""
    token = _current.set(identity)
    try:
        yield
    finally:
        _current.reset(token)
