"""Step lines for the person at the terminal."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def say(line: str) -> None:
    """Unbuffered, and deaf to a reader that has gone (a closed terminal, `| tee` after Ctrl-C): stopping must go on."""
    with suppress(OSError):
        os.write(1, (line + "\n").encode())


class Step:
    """What a step may add to its own line."""

    def __init__(self, title: str) -> None:
        self.title = title


@contextmanager
def step(title: str) -> Iterator[Step]:
    """Prints `title (seconds s)` once the body is through; the body may change `step.title`."""
    current = Step(title)
    start = time.monotonic()
    yield current
    say(f"  {current.title} ({time.monotonic() - start:.1f} s)")


def tail(path: Path, lines: int = 20) -> str:
    """The last lines of a log, indented; the empty string where there is none."""
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 64 * 1024))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])
