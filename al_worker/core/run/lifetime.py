"""Keep one process to a run directory, and let none outlive the process that started it."""

import ctypes
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from al_worker.core.errors import RunBusy

LOCK = ".lock"
PR_SET_PDEATHSIG = 1
LOOK_SECONDS = 0.2


@contextmanager
def run_lock(run: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the run directory. The system releases the lock however the process ends.

    A process that holds it is waited for `patience` seconds. Raises RunBusy.
    """
    until = time.monotonic() + patience
    with (run / LOCK).open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() >= until:
                    raise RunBusy(
                        f"another process works on {run}; wait for it, stop it, or help it to score "
                        f"(score {run} --join)"
                    ) from error
            time.sleep(LOOK_SECONDS)
        yield


def die_with_parent(by: signal.Signals = signal.SIGKILL) -> None:
    """Have Linux end this process when the one that started it ends, so that no training runs on unseen.

    SIGTERM lets a step that asks a provider store the answers under way.
    """
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
