"""Print lines about the steps for the person at the terminal."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def say(line: str) -> None:
    """Print a line without a buffer.

    A reader that has gone (a closed terminal, `| tee` after Ctrl-C) is ignored, because stopping must continue.
    """
    with suppress(OSError):
        os.write(1, (line + "\n").encode())


class Step:
    """Hold the title of a step, which the step may change while it runs."""

    def __init__(self, title: str) -> None:
        self.title = title


@contextmanager
def step(title: str) -> Iterator[Step]:
    """Print `title (seconds s)` after the body has ended. The body may change the title."""
    current = Step(title)
    start = time.monotonic()
    yield current
    say(f"  {current.title} ({time.monotonic() - start:.1f} s)")


def tail(path: Path, lines: int = 20) -> str:
    """Return the last lines of a log, indented, or an empty string where there is no log."""
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 64 * 1024))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])
