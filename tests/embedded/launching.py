"""Starting the launcher as a person would, and looking at what it leaves."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.state import CLONE, without_servers

# For a slow machine that does other things beside; only a failing test waits it out.
PATIENCE = 180.0
LAUNCHER = (sys.executable, "-m", "annotation_app.embedded")


def launcher_env(**more: str) -> dict[str, str]:
    return without_servers({name: value for name, value in os.environ.items() if name != "PORT"}) | more


class Launched:
    """A process whose output goes into a file, so that it never waits for its reader."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.output = tempfile.NamedTemporaryFile(mode="r", prefix="launched-", encoding="utf-8")  # noqa: SIM115
        with open(self.output.name, "wb") as out:
            self.process = subprocess.Popen(
                command, cwd=CLONE, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )

    def hear(self, text: str, seconds: float = PATIENCE) -> str:
        """All that was printed since the last call, up to now, once `text` is in it."""
        until, heard = time.monotonic() + seconds, ""
        while text not in heard:
            ended = self.process.poll() is not None
            heard += self.output.read()
            assert text in heard or not ended, f"ended before it said {text!r}: {heard}"
            assert time.monotonic() < until, f"did not say {text!r} within {seconds} s: {heard}"
            time.sleep(0.02)
        return heard

    def stop(self, number: signal.Signals, seconds: float = PATIENCE) -> tuple[int, str]:
        """Sends the signal; returns the exit status and what was printed since."""
        self.process.send_signal(number)
        return self.wait(seconds)

    def wait(self, seconds: float = PATIENCE) -> tuple[int, str]:
        status = self.process.wait(seconds)
        return status, self.output.read()


def launch(*arguments: str, env: Mapping[str, str] | None = None) -> Launched:
    return Launched([*LAUNCHER, *arguments], env or launcher_env())


def processes_of(mark: str) -> list[str]:
    """Living processes, but for this one, with `mark` in their command line or environment, as `pid command line`."""
    found = []
    for entry in process.table():
        try:
            arguments = read(entry.pid, "cmdline")
            told = arguments + read(entry.pid, "environ")
        except OSError:
            continue
        if entry.state != "Z" and entry.pid != os.getpid() and mark in told:
            found.append(f"{entry.pid} {arguments}")
    return found


def read(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
