"""The whole of Quorum as a user starts it, on data of its own, for tests from outside: browser, loop, kill."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation_app.embedded.state import without_servers

ROOT = Path(__file__).resolve().parent.parent
READY = re.compile(r"Quorum is ready at (http://\S+)")
PASSWORD = "loop-and-browser-tests"


class Stack:
    """`python -m annotation_app.embedded up` of the version in `root`, on a state folder and a free port."""

    def __init__(self, folder: Path, root: Path = ROOT, demo: bool = False, **env: str) -> None:
        self.folder = folder
        self.root = root
        self.options = [] if demo else ["--no-demo"]
        self.env = {**without_servers(os.environ), "LOG_LEVEL": "INFO", **env}
        self.url = ""

    def start(self, timeout: float = 300) -> None:
        command = [sys.executable, "-m", "annotation_app.embedded", "up", *self.options, "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--state-dir", str(self.folder)],
            cwd=self.root,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.url = self.wait_for_address(timeout)

    def wait_for_address(self, timeout: float) -> str:
        assert self.process.stdout is not None
        until, seen = time.monotonic() + timeout, ""
        for line in self.process.stdout:
            seen += line
            if found := READY.search(line):
                return found.group(1).rstrip("/")
            if time.monotonic() > until:
                break
        raise AssertionError(f"Quorum did not start:\n{seen}")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        assert self.process.stdout is not None
        self.process.stdout.read()
        return self.process.wait(timeout=180)

    def manage(self, *arguments: str) -> str:
        """Runs manage.py against the running servers."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=self.root,
            env={**self.env, "QUORUM_STATE_DIR": str(self.folder), "QUORUM_PASSWORD": PASSWORD},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pids(self, name: str) -> list[int]:
        """Process ids of our own descendants whose command line holds `name`."""
        return [pid for pid in descendants(self.process.pid) if name in command_line(pid)]

    def log(self, name: str) -> str:
        return (self.folder / "logs" / f"{name}.log").read_text(errors="replace")

    def recorded(self) -> dict[str, object]:
        return dict(json.loads((self.folder / "servers.json").read_text()))


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descendants(pid: int) -> list[int]:
    try:
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except FileNotFoundError:
        return []
    return [found for child in children for found in (child, *descendants(child))]


def state_copy(stopped: Path, folder: Path) -> None:
    """Copies the state folder of stopped servers with the owners of its files. The servers choose other ports."""
    subprocess.run(["cp", "-a", str(stopped), str(folder)], check=True)
    (folder / "servers.json").unlink(missing_ok=True)


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A throw-away folder that the servers' unprivileged user can pass through, as pytest's own cannot."""
    with tempfile.TemporaryDirectory(prefix="quorum-stack-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@contextmanager
def running_stack(prepared: Path | None = None, **env: str) -> Iterator[Stack]:
    """A started stack, on a copy of `prepared` where that is given; everything is stopped and removed afterwards."""
    with passable_folder() as folder:
        stack = Stack(folder / "state", **env)
        if prepared:
            state_copy(prepared, stack.folder)
        try:
            stack.start()
            yield stack
        finally:
            stack.stop()
