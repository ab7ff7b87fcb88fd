"""Handle Linux processes: children that die with their parent, whole process trees, and how a process ended."""

import ctypes
import os
import signal
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# Signals that a background job of a shell, or `nohup`, may have made its children ignore.
RESET_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE)

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class ServerUser:
    """Hold the unprivileged system user that servers run as when the launcher itself is root."""

    name: str
    uid: int
    gid: int


def prctl(option: int, value: int) -> None:
    """Set a property of this process. Raises OSError where the kernel refuses."""
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl({option}): {os.strerror(error)}")


def die_with_parent(death_signal: int, parent: int) -> bool:
    """Ask the kernel to send `death_signal` when the parent ends. Return False when `parent` had already ended."""
    prctl(PR_SET_PDEATHSIG, death_signal)
    return os.getppid() == parent


def become_subreaper() -> None:
    """Make orphaned descendants children of this process, so that none can leave its tree."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def spawn(
    command: Sequence[str | os.PathLike[str]],
    *,
    death_signal: signal.Signals,
    user: ServerUser | None = None,
    new_session: bool = True,
    keep_fds: Collection[int] = (),
    env: dict[str, str] | None = None,
    cwd: str | Path | None = None,
    stdin: int | IO[bytes] | None = subprocess.DEVNULL,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child that gets `death_signal` when this process dies, however it dies.

    Call this from the main thread, because the kernel watches the thread that forked.
    """
    parent = os.getpid()

    def prepare() -> None:
        # This runs after the change of user, which would clear the death signal.
        if not die_with_parent(death_signal, parent):
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for each in RESET_SIGNALS:
            signal.signal(each, signal.SIG_DFL)

    return subprocess.Popen(
        [os.fspath(part) for part in command],
        preexec_fn=prepare,
        start_new_session=new_session,
        pass_fds=tuple(keep_fds),
        env=env,
        cwd=cwd,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )


def finish(
    command: Sequence[str | os.PathLike[str]], *, env: dict[str, str], user: ServerUser | None = None, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a short command to its end, with `text` as its input. Raises OSError where the user cannot run it."""
    return subprocess.run(
        command,
        cwd="/",
        env=env,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )


@dataclass(frozen=True)
class Entry:
    """Hold one entry of the process table."""

    pid: int
    state: str
    parent: int
    session: int


def table() -> list[Entry]:
    """Return the process table, read from /proc."""
    entries = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text(errors="replace")
            except OSError:
                continue  # ended while we were reading
            state, parent, _group, session = stat.rpartition(")")[2].split()[:4]
            entries.append(Entry(int(folder.name), state, int(parent), int(session)))
    return entries


def children(parent: int) -> list[int]:
    """Return the living children of a process."""
    return [entry.pid for entry in table() if entry.parent == parent and entry.state != "Z"]


def descendants(root: int) -> list[int]:
    """Return all processes below `root`, nearest first, without `root` itself.

    Zombies belong to them: while a thread of theirs still ends, their children are not yet handed on.
    """
    children: dict[int, list[int]] = {}
    for entry in table():
        children.setdefault(entry.parent, []).append(entry.pid)
    found: list[int] = []
    level = [root]
    while level:
        level = [child for parent in level for child in children.get(parent, [])]
        found.extend(level)
    return found


def session_members(session: int) -> list[int]:
    """Return the living processes of a session."""
    return [entry.pid for entry in table() if entry.session == session and entry.state != "Z"]


def send(pids: Collection[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue  # it ended by itself, which is what we want


def ending(status: int) -> str:
    """Return in words how a process ended, from a Popen return code or a shell's exit status."""
    number = -status if status < 0 else status - 128
    if number > 0:
        try:
            return f"ended by {signal.Signals(number).name}"
        except ValueError:
            return f"ended with status {status}"
    return f"ended with status {status}"
