"""Starting the launcher as a person would, and looking at what it leaves."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.state import CLONE, without_servers

LAUNCHER = (sys.executable, "-m", "annotation_app.embedded")


def launcher_env(**more: str) -> dict[str, str]:
    return without_servers({name: value for name, value in os.environ.items() if name != "PORT"}) | more


def launch(*arguments: str, cwd: Path = CLONE, env: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*LAUNCHER, *arguments],
        cwd=cwd,
        env=env or launcher_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        bufsize=1,
    )


def read_until(started: "subprocess.Popen[str]", text: str, seconds: float = 60.0) -> str:
    """What it printed, up to and with the line that holds `text`."""
    assert started.stdout
    lines: list[str] = []
    until = time.monotonic() + seconds
    while select.select([started.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
        line = started.stdout.readline()
        lines.append(line)
        if text in line:
            return "".join(lines)
        assert line, f"ended before it said {text!r}: {''.join(lines)}"
    raise AssertionError(f"did not say {text!r} within {seconds} s: {''.join(lines)}")


def processes_of(mark: str) -> list[str]:
    """Command lines of living processes that hold `mark` in their arguments or as working folder."""
    found = []
    for entry in process.table():
        try:
            arguments = Path(f"/proc/{entry.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            folder = os.readlink(f"/proc/{entry.pid}/cwd")
        except OSError:
            continue
        if entry.state != "Z" and entry.pid != os.getpid() and (mark in arguments or folder.startswith(mark)):
            found.append(f"{entry.pid} {arguments}")
    return found


def wait_for(condition: Callable[[], object], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
