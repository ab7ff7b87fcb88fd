"""One process a run directory, and none that outlives who asked for it."""

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
    """Hold the run directory. The system lets go when the process ends in any way. Raises RunBusy."""
    with (run / LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunBusy(
                f"another process works on {run}; wait for it, stop it, or help it to score (score {run} --join)"
            ) from error
        yield


def die_with_parent() -> None:
    """Have Linux end this process when the one that started it ends, so that no training runs on unseen."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
