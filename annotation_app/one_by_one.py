"""Go on with the others where one of several fails."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, connection


@contextmanager
def logged_failure(logger: logging.Logger, what: str, about: object) -> Iterator[None]:
    """Log a failure by the exception's type and go on. Its message may repeat what people wrote.

    The body opens its own transaction. Where the database itself is away, the exception passes through.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, Error) and not connection.is_usable():
            raise
        logger.error(f"{what} failed: %s", about, type(error).__name__)
