"""Keep the launcher's processes alive, each behind its guard, and decide when to give one up."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation_app.embedded import guard, process
from annotation_app.embedded.console import say, tail
from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.signals import Signals
from annotation_app.embedded.state import CLONE

# A process that lives for less than QUICK_DEATH seconds failed to start. After MAX_QUICK_DEATHS of these in a row, the
# launcher gives up.
QUICK_DEATH = 10.0
MAX_QUICK_DEATHS = 5
FIRST_PAUSE = 0.5


@dataclass
class Child:
    """Hold a command that runs behind a guard with a session of its own, and writes its output to a log."""

    title: str
    command: Sequence[str]
    env: dict[str, str]
    log: Path
    keep_fds: tuple[int, ...] = ()
    hand_on_fds: tuple[int, ...] = ()
    niceness: int = 0
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start the guard with the command. `keep_fds` stay open in the guard, as a lock.

        The command gets `hand_on_fds`.
        """
        options = [part for fd in self.hand_on_fds for part in ("--keep-fd", str(fd))]
        options += ["--nice", str(self.niceness)]
        with self.log.open("ab") as log:
            self.process = process.spawn(
                [sys.executable, "-m", guard.__name__, *options, "--", *self.command],
                death_signal=signal.SIGTERM,
                keep_fds=(*self.keep_fds, *self.hand_on_fds),
                env=self.env,
                cwd=CLONE,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def poll(self) -> int | None:
        """Return None while the guard runs, else how it ended, as Popen tells it.

        Once the guard has ended, even by kill -9, the rest of its session is killed.
        """
        if self.process is None:
            return 0
        status = self.process.poll()
        if status is not None:
            self.destroy()
        return status

    def ask_to_stop(self) -> None:
        if self.process and self.process.poll() is None:
            process.send([self.process.pid], signal.SIGTERM)

    def destroy(self) -> None:
        if self.process:
            process.send(process.session_members(self.process.pid), signal.SIGKILL)


@dataclass
class Supervised:
    """Start something again when it ends, after a pause that grows with each quick death."""

    title: str
    log: Path
    start: Callable[[], None]
    poll: Callable[[], int | None]
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)
    quick_deaths: int = 0
    due: float | None = None

    def __post_init__(self) -> None:
        self.started = self.clock()

    def tend(self) -> None:
        """Check once, and start again what is due. Raises LaunchError after too many quick deaths in a row."""
        now = self.clock()
        if self.due is not None:
            if now >= self.due:
                self.due, self.started = None, now
                self.start()
            return
        status = self.poll()
        if status is not None:
            self.bury(status, now)

    def bury(self, status: int, now: float) -> None:
        """Plan the next start. Raises LaunchError after too many quick deaths in a row."""
        self.quick_deaths = self.quick_deaths + 1 if now - self.started < QUICK_DEATH else 0
        how = f"The {self.title} {process.ending(status)}"
        if self.quick_deaths >= MAX_QUICK_DEATHS:
            raise LaunchError(
                f"{how}, for the {MAX_QUICK_DEATHS}th time in quick succession: giving up. "
                f"The end of {self.log}:\n{tail(self.log)}"
            )
        pause = FIRST_PAUSE * 2 ** max(0, self.quick_deaths - 1)
        say(f"  {how}; starting it again in {pause:g} s (log: {self.log})")
        self.due = now + pause


def stop_all(children: Sequence[Child], signals: Signals) -> None:
    """Ask all children at once to stop, wait for their guards, and kill what is left.

    A second stop signal ends the wait, and everything is killed at once.
    """
    for child in children:
        child.ask_to_stop()
    until = time.monotonic() + guard.KILL_AFTER + 3.0
    while any(child.poll() is None for child in children) and time.monotonic() < until:
        if signals.next(0.1) in signals.stops:
            break
    for child in children:
        child.destroy()
        if child.process:
            child.process.wait()
