"""Let SIGTERM ask a long step to stop by itself, instead of ending the process at once."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(Exception):
    """The process was asked to stop, and the step left off where it can go on."""


@contextmanager
def stop_requested() -> Iterator[threading.Event]:
    """Give an event that SIGTERM sets. A dying parent and its guard may both send one, so that more change nothing.

    Outside the main thread signals cannot be handled, and the event is never set.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def ask(number: int, frame: FrameType | None) -> None:
        event.set()

    before = signal.signal(signal.SIGTERM, ask)
    try:
        yield event
    finally:
        signal.signal(signal.SIGTERM, before)


def end_as_stopped() -> None:
    """End this process as SIGTERM does: at once, without waiting for threads."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
