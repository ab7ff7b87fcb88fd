"""Run `al_worker.core` in a child process: a new one for each training, which ends when its parent does."""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from al_worker.core.errors import EXIT_EXPECTED

# How a process ends that was asked to stop.
STOPPED = (-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)


class CoreFailed(Exception):
    """Signal that the core ended with an error; the text is its last line on stderr, without the failure's name."""


class CoreStopped(Exception):
    """Signal that somebody stopped the core, as a shutdown does. The job is not at fault: it can go on later."""


@dataclass(frozen=True)
class Progress:
    """Hold progress that the core reports. `step` is encode, train, score or select; `fraction` is 0 to 1.

    In an evaluation the step is a system, which may tell of failed requests and of the seconds that are left. In an
    interpretation it is a system too, and `stage` has `done` of `total` steps.
    """

    step: str
    fraction: float
    detail: str
    n_failed: int = 0
    seconds_left: float | None = None
    stage: str = ""
    done: int = 0
    total: int = 0


def core_process(
    target: Path,
    *,
    cache: Path | None,
    tick: float,
    command: str = "round",
    more: Sequence[str] = (),
    stop_seconds: float = 0.0,
) -> Generator[Progress | None, None, None]:
    """Yield progress as it comes, and None at least every `tick` seconds, so that the caller can renew its lease.

    `target` is the file or folder that the core's command works on. `cache` keeps token ids between rounds, for the
    commands that have one; `more` are options of the command. Closing the generator kills the process, or first asks it
    to stop and waits `stop_seconds` for it. Raises CoreFailed and CoreStopped.
    """
    options = ["--progress", "json", "--die-with-parent", *(["--cache", str(cache)] if cache else []), *more]
    line = [sys.executable, "-m", "al_worker.core", command, str(target), *options]
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)
        try:
            yield from progress_of(process, tick)
            if process.wait() in STOPPED:
                raise CoreStopped(last_line(stderr, process.returncode))
            if process.returncode != 0:
                raise CoreFailed(last_line(stderr, process.returncode))
        finally:
            if process.poll() is None and stop_seconds:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=stop_seconds)
            if process.poll() is None:
                process.kill()
                process.wait()


def progress_of(process: "subprocess.Popen[bytes]", tick: float) -> Iterator[Progress | None]:
    """Read lines without blocking for longer than a tick, until the process closes its output."""
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
    """Parse one line of the core's progress; return None for anything else, which some library printed."""
    try:
        value: Any = json.loads(line)
        return Progress(
            str(value["step"]),
            float(value.get("fraction", 0.0)),
            str(value.get("detail", "")),
            int(value.get("n_failed", 0)),
            value.get("seconds_left"),
            str(value.get("stage", "")),
            int(value.get("done", 0)),
            int(value.get("total", 0)),
        )
    except (ValueError, KeyError, TypeError):
        return None


def last_line(stderr: IO[bytes], returncode: int) -> str:
    stderr.seek(0)
    lines = [line for line in stderr.read().decode("utf-8", "replace").splitlines() if line.strip()]
    if returncode < 0:
        return f"The model process was ended by signal {-returncode} ({signal.Signals(-returncode).name})."
    if not lines:
        return f"The model process ended with status {returncode} and said nothing."
    # Names of failures are for programs. Of an unexpected one the name is all that there may be.
    return lines[-1].partition(": ")[2] if returncode == EXIT_EXPECTED else lines[-1]
