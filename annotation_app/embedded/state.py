"""Manage the state folder: data, secrets, logs, and the locks that keep two launchers of one clone apart."""

import fcntl
import hashlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation_app.embedded.errors import AlreadyRunning, LaunchError

CLONE = Path(__file__).resolve().parent.parent.parent
ROOT_STATE = Path("/var/lib/quorum")
# The servers of a killed launcher shut down by themselves. The next launcher waits this many seconds for them.
WAIT_FOR_SERVERS = 60.0


def default_folder(clone: Path = CLONE, *, as_root: bool | None = None) -> Path:
    """Return the default state folder, which is `var` inside the clone.

    For root it is outside the clone, where the unprivileged server user can reach it.
    """
    if os.geteuid() == 0 if as_root is None else as_root:
        return ROOT_STATE / hashlib.sha256(os.fsencode(clone)).hexdigest()[:16]
    return clone / "var"


@dataclass(frozen=True)
class State:
    """Hold one clone's state folder. The server user owns only the data folders; the launcher keeps the secrets."""

    folder: Path

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def media(self) -> Path:
        return self.folder / "media"

    def prepare(self) -> None:
        """Make the folder with its subfolders. Raises LaunchError where this user cannot."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # The server user can pass through the folder, but cannot list it.
            self.folder.chmod(0o711)
            for name in ("logs", "media", "secrets"):
                (self.folder / name).mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise LaunchError(
                f"The state folder {self.folder} cannot be prepared ({error}). "
                "Make it writeable for this user, or name another one with --state-dir."
            ) from error
        write_private(self.folder / "clone", f"{CLONE}\n")

    def secret(self, name: str, make: Callable[[], str] = lambda: secrets.token_hex(32)) -> str:
        """Return a generated secret. It is the same at every start, and in a file that only this user can read."""
        path = self.folder / "secrets" / name
        if not path.exists():
            write_private(path, make())
        return path.read_text()

    def log(self, name: str) -> Path:
        """Return a log's path."""
        return self.logs / f"{name}.log"

    def record(self, **entries: Any) -> None:
        """Record the ports and process ids of what runs now, for people and scripts, without secrets."""
        write_private(self.folder / "servers.json", json.dumps(self.recorded() | entries, indent=1) + "\n", mode=0o644)

    def recorded(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / "servers.json").read_text()))
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    @contextmanager
    def lock(self, sleep: Callable[[float], None], waiting: Callable[[str], None]) -> Iterator[int]:
        """Lock the state folder for this launcher, and yield the file descriptor that every server and guard inherits.

        Raises AlreadyRunning while another launcher lives. After a killed one, wait for what it had started, and raise
        LaunchError where that does not end.
        """
        launcher = try_lock(self.folder / "launcher.lock")
        if launcher is None:
            raise AlreadyRunning(self.busy_message())
        try:
            os.ftruncate(launcher, 0)
            os.pwrite(launcher, str(os.getpid()).encode(), 0)
            servers = self.wait_for_servers(sleep, waiting)
            try:
                yield servers
            finally:
                os.close(servers)
        finally:
            os.close(launcher)

    def busy_message(self) -> str:
        pid = (self.folder / "launcher.lock").read_text() or "unknown"
        web = self.recorded().get("web", {}).get("address", "")
        where = f" at {web}" if web else ""
        return (
            f"Quorum is already running from this folder{where} (process {pid}). "
            f"Stop that one first (Ctrl-C there, or `kill {pid}`); its state folder is {self.folder}."
        )

    def wait_for_servers(self, sleep: Callable[[float], None], waiting: Callable[[str], None]) -> int:
        waited = 0.0
        while (fd := try_lock(self.folder / "servers.lock")) is None:
            if waited == 0.0:
                waiting("Waiting for the servers of an earlier start to finish shutting down")
            if waited > WAIT_FOR_SERVERS:
                raise LaunchError(
                    f"Servers of an earlier start still hold {self.folder / 'servers.lock'}. "
                    f"`fuser {self.folder / 'servers.lock'}` names them; stop them, then start again."
                )
            sleep(0.2)
            waited += 0.2
        return fd


def try_lock(path: Path) -> int | None:
    """Return an open file descriptor that holds the lock, or None while another process holds it.

    The lock is freed when the process ends.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd


def write_private(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a file completely or not at all: under another name first, flushed, then renamed."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(fd, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def temporary_state() -> Iterator[State]:
    """Yield a throw-away state folder that the unprivileged server user can pass through, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="quorum-"))
    state = State(folder)
    try:
        state.prepare()
        yield state
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def without_servers(env: Mapping[str, str]) -> dict[str, str]:
    """Return `env` without what a launcher sets for its children, so that a nested launcher starts its own servers."""
    own = {"DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_APP_URL", "DATABASE_APP_ROLE", "REDIS_URL", "SECRET_KEY"}
    own |= {"QUORUM_EMBEDDED", "QUORUM_STATE_DIR", "QUORUM_MEDIA_DIR", "QUORUM_HOST", "QUORUM_PORT", "QUORUM_HOSTS"}
    return {name: value for name, value in env.items() if name not in own}
