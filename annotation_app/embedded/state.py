"""The state folder: data, secrets, logs, and the locks that keep two launchers of one clone apart."""

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
LOG_BYTES = 8 * 1024 * 1024
# A launcher that was killed leaves servers that shut down by themselves; this is how long the next one waits for them.
WAIT_FOR_SERVERS = 60.0


def default_folder(clone: Path = CLONE, *, as_root: bool | None = None) -> Path:
    """As root outside the clone, where the unprivileged server user can reach it; else `var` inside the clone."""
    if os.geteuid() == 0 if as_root is None else as_root:
        return ROOT_STATE / hashlib.sha256(os.fsencode(clone)).hexdigest()[:16]
    return clone / "var"


@dataclass(frozen=True)
class State:
    """One clone's state folder. Only the data are handed to the server user; secrets stay with the launcher."""

    folder: Path

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def media(self) -> Path:
        return self.folder / "media"

    def prepare(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # The server user passes through, and can list nothing.
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
        """A generated secret, the same at every start, in a file that only this user reads."""
        path = self.folder / "secrets" / name
        if not path.exists():
            write_private(path, make())
        return path.read_text()

    def log(self, name: str) -> Path:
        """A log's path; a long one is put aside first."""
        path = self.logs / f"{name}.log"
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        return path

    def record(self, **entries: Any) -> None:
        """Ports and process ids of what runs now, for people and scripts; no secrets."""
        write_private(self.folder / "servers.json", json.dumps(self.recorded() | entries, indent=1) + "\n", mode=0o644)

    def recorded(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / "servers.json").read_text()))
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    @contextmanager
    def lock(self, sleep: Callable[[float], None], waiting: Callable[[str], None]) -> Iterator[int]:
        """Holds the clone for this launcher, and yields the file descriptor that every server and guard inherits.

        Raises AlreadyRunning while another launcher lives. After one that was killed, waits for what it had started.
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
    """An open file descriptor that holds the lock, or None while another holds it. Process end frees it."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd


def write_private(path: Path, text: str, mode: int = 0o600) -> None:
    """Whole or not at all: written beside, flushed, renamed."""
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
    """A throw-away state folder that the unprivileged server user can pass through; removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="quorum-"))
    state = State(folder)
    try:
        state.prepare()
        yield state
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def without_servers(env: Mapping[str, str]) -> dict[str, str]:
    """`env` without anything that a launcher sets for its children, so that a nested launcher starts its own."""
    own = {"DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_APP_URL", "DATABASE_APP_ROLE", "REDIS_URL", "SECRET_KEY"}
    own |= {"QUORUM_EMBEDDED", "QUORUM_STATE_DIR", "QUORUM_MEDIA_DIR", "QUORUM_HOST", "QUORUM_PORT", "QUORUM_HOSTS"}
    return {name: value for name, value in env.items() if name not in own}
