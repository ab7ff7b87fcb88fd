"""Go on with the others where one of several fails."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from annotation_app.models import LASTING


@contextmanager
def logged_failure(logger: logging.Logger, what: str, about: object) -> Iterator[None]:
    """Log a failure by the exception's type and go on. Its message may repeat what people wrote.

    The body opens its own transaction. What would pass, such as a database that is away, is raised.
    """
    try:
        yield
    except LASTING as error:
        logger.error(f"{what} failed: %s", about, type(error).__name__)
