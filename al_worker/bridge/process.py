"""Runs `al_worker.core` in a process of its own: a fresh one a training, dead as soon as its parent is."""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any


class CoreFailed(Exception):
    """The core ended with an error; the text is its last line on stderr."""


@dataclass(frozen=True)
class Progress:
    """What the core says of itself. `step` is encode, train, score or select; `fraction` is 0..1."""

    step: str
    fraction: float
    detail: str


def core_run(
    target: Path, *, cache: Path, tick: float, command: str = "round"
) -> Generator[Progress | None, None, None]:
    """Yields progress as it comes, and None at least every `tick` seconds, so that the caller can renew its lease.

    `target` is what the core's command works on, `cache` keeps token ids between rounds.
    Raises CoreFailed. Closing the generator kills the process.
    """
    options = ["--progress", "json", "--die-with-parent", "--cache", str(cache)]
    line = [sys.executable, "-m", "al_worker.core", command, str(target), *options]
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)
        try:
            yield from progress_of(process, tick)
            if process.wait() != 0:
                raise CoreFailed(last_line(stderr, process.returncode))
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def progress_of(process: "subprocess.Popen[bytes]", tick: float) -> Iterator[Progress | None]:
    """Reads lines without blocking for longer than a tick, until the process closes its output."""
    assert process.stdout is not None
    pending = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        last = time.monotonic()
        while True:
            if selector.select(timeout=tick):
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    return
                *lines, pending = (pending + chunk).split(b"\n")
                yield from (progress for line in lines if (progress := parsed(line)))
            if time.monotonic() - last >= tick:
                last = time.monotonic()
                yield None


def parsed(line: bytes) -> Progress | None:
    """One line of the core's progress; anything else that a library prints is not ours to read."""
    try:
        value: Any = json.loads(line)
        return Progress(str(value["step"]), float(value.get("fraction", 0.0)), str(value.get("detail", "")))
    except (ValueError, KeyError, TypeError):
        return None


def last_line(stderr: IO[bytes], returncode: int) -> str:
    stderr.seek(0)
    lines = [line for line in stderr.read().decode("utf-8", "replace").splitlines() if line.strip()]
    if returncode < 0:
        return f"The model process was ended by signal {-returncode} ({signal.Signals(-returncode).name})."
    return lines[-1] if lines else f"The model process ended with status {returncode} and said nothing."
