"""Define what the two embedded servers have in common: a process, its user, its port, its log."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.process import ServerUser
from annotation_app.embedded.programs import server_env, server_user
from annotation_app.embedded.state import State

Sleep = Callable[[float], None]
Command = list[str | os.PathLike[str]]
# After a kill, recovery reads the write-ahead log again, which may take a while on a slow disk.
START_SECONDS = 120.0
# A process that is still ending may hold a killed server's shared memory or port for a moment.
PASSING_TROUBLE = (
    "pre-existing shared memory block",
    "Address already in use",
    "lock file",
    "Failed listening on port",
)
ATTEMPTS = 8


class Server:
    """Run one server process. Subclasses define how it is prepared and started, and when it is ready."""

    name = "server"
    # Each stop signal, with the seconds that the server has to end after it. After the last one it is killed.
    stop_signals: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 10.0),)

    def __init__(self, state: State, *, port: int | None = None, keep_fds: tuple[int, ...] = ()) -> None:
        self.state = state
        self.user = server_user()
        self.port = port or self.last_port()
        self.keep_fds = keep_fds
        self.log = state.log(self.name.lower())
        self.log_start = 0
        self.process: subprocess.Popen[bytes] | None = None

    def last_port(self) -> int | None:
        """Return the port of the last start, from the state folder, or None."""
        port = self.state.recorded().get(self.name.lower(), {}).get("port")
        return port if isinstance(port, int) else None

    def prepare(self) -> None:
        """Make the data folder, or check the existing one."""
        raise NotImplementedError

    def command(self) -> Command:
        raise NotImplementedError

    def is_ready(self) -> bool:
        raise NotImplementedError

    def version(self) -> str:
        """Return the version that the running server reports."""
        raise NotImplementedError

    def start(self, sleep: Sleep = time.sleep) -> None:
        """Start the server, and return once it answers. A second start keeps the port.

        Raises LaunchError with what the server wrote into its log.
        """
        keep_port = self.process is not None
        self.prepare()
        for attempt in range(1, ATTEMPTS + 1):
            if not keep_port:
                self.port = free_port(self.port)
            if self.come_up(sleep):
                self.state.record(**{self.name.lower(): {"port": self.port, "pid": self.pid}})
                return
            told = self.log_since_start()
            if attempt == ATTEMPTS or not any(trouble in told for trouble in PASSING_TROUBLE):
                raise LaunchError(f"{self.name} did not start; it wrote into {self.log}:\n{told}")
            sleep(0.5)

    def come_up(self, sleep: Sleep) -> bool:
        """Start the process and wait until it is ready. Return False when it ended before that.

        Raises LaunchError when the server is not ready after `START_SECONDS`.
        """
        with self.log.open("ab") as log:
            self.log_start = log.tell()
            self.process = process.spawn(
                self.command(),
                death_signal=self.stop_signals[0][0],
                user=self.user,
                keep_fds=self.keep_fds,
                env=server_env(),
                cwd="/",
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + START_SECONDS
        while self.process.poll() is None:
            if self.is_ready():
                return True
            if time.monotonic() > until:
                self.stop()
                raise LaunchError(f"{self.name} was not ready after {START_SECONDS:.0f} s; see {self.log}.")
            sleep(0.02)
        return False

    def log_since_start(self) -> str:
        with self.log.open("rb") as log:
            log.seek(self.log_start)
            return log.read(64 * 1024).decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        if self.process is None:
            raise LaunchError(f"{self.name} has not been started.")
        return self.process.pid

    def poll(self) -> int | None:
        """Return None while the server runs, else how it ended, as Popen tells it."""
        return self.process.poll() if self.process else 0

    def stop(self) -> None:
        """Stop the server with its stop signals, and kill it when these do not end it."""
        for number, seconds in self.stop_signals:
            if self.process is None or self.process.poll() is not None:
                return
            process.send([self.pid], number)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
        self.kill()

    def kill(self) -> None:
        """Kill the server and all its processes with SIGKILL, as a power cut would.

        `start` brings the server back on the same port.
        """
        if self.process and self.process.poll() is None:
            process.send([self.pid, *process.descendants(self.pid)], signal.SIGKILL)
            self.process.wait()


def free_port(wanted: int | None = None) -> int:
    """Return a loopback port that is free now, which is `wanted` if that is free. Raises LaunchError without any."""
    for port in (wanted, 0):
        if port is None:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise LaunchError("No free port on 127.0.0.1.")


def hand_over(folder: Path, user: ServerUser | None) -> None:
    """Make the server user the owner of `folder` and everything in it, also when the last start had another user."""
    folder.chmod(0o700)
    if user is None:
        return
    for path in (folder, *folder.rglob("*")):
        if path.lstat().st_uid != user.uid:
            os.chown(path, user.uid, user.gid, follow_symlinks=False)


def refuse_unreachable(folder: Path, user: ServerUser | None) -> None:
    """Check that the server user can reach `folder`. Raises LaunchError where a folder above it denies this."""
    if user is None:
        return
    for above in folder.parents:
        if not above.stat().st_mode & 0o001:
            raise LaunchError(
                f"The servers run as '{user.name}', who cannot pass through {above} to reach {folder}. "
                f"Run `chmod o+x {above}`, or name another state folder with --state-dir."
            )
