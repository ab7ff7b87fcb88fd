"""Keep one process to a run directory, and let none outlive the process that started it."""

import ctypes
import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from al_worker.core.errors import RunBusy

LOCK = ".lock"
PR_SET_PDEATHSIG = 1


@contextmanager
def run_lock(run: Path) -> Iterator[None]:
    """Hold the run directory. The system releases the lock however the process ends. Raises RunBusy."""
    with (run / LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunBusy(
                f"another process works on {run}; wait for it, stop it, or help it to score (score {run} --join)"
            ) from error
        yield


def die_with_parent() -> None:
    """Have Linux kill this process when the one that started it ends, so that no training runs on unseen."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
