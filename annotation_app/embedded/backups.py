"""Make backups by the clock while the servers run, as the settings ask for them."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation_app.embedded import process
from annotation_app.embedded.console import say, tail
from annotation_app.embedded.errors import LaunchError
from annotation_app.embedded.state import CLONE, State

# As `backups/services.py` names them.
LATEST = f"quorum-{'[0-9]' * 8}T{'[0-9]' * 6}Z.backup"
STOP_SECONDS = 10.0
# After a backup that failed, the next try waits so long.
AGAIN_SECONDS = 900.0


@dataclass(frozen=True)
class Schedule:
    """Hold the folder of scheduled backups, the hours between two of them, and how many are kept."""

    folder: Path
    hours: float
    keep: int

    def due_in(self, now: float) -> float:
        """Return the seconds until the next backup is due: at once where there is none yet."""
        made = [path.stat().st_mtime for path in self.folder.glob(LATEST) if path.is_file()]
        return max(0.0, max(made) + 3600 * self.hours - now) if made else 0.0


def schedule_of(env: Mapping[str, str]) -> Schedule | None:
    """Return the schedule that the settings name; None without a folder. Raises LaunchError for a wrong value."""
    if not (folder := env.get("QUORUM_BACKUP_FOLDER", "")):
        return None
    hours = number("QUORUM_BACKUP_HOURS", env.get("QUORUM_BACKUP_HOURS", ""), 24.0, least=0.01)
    keep = number("QUORUM_BACKUP_KEEP", env.get("QUORUM_BACKUP_KEEP", ""), 14, least=1)
    if not Path(folder).is_dir():
        raise LaunchError(f"QUORUM_BACKUP_FOLDER={folder} is no folder: make it, or name another one.")
    return Schedule(Path(folder).resolve(), hours, int(keep))


def number(name: str, given: str, default: float, *, least: float) -> float:
    try:
        value = float(given or default)
    except ValueError:
        value = least - 1
    if not value >= least:
        raise LaunchError(f"{name}={given} is no number from {least:g} on.")
    return value


class ScheduledBackups:
    """Run `manage.py backup` when one is due. Work goes on meanwhile; a failure is told, and tried again later."""

    def __init__(self, schedule: Schedule, state: State, env: Mapping[str, str]) -> None:
        self.schedule, self.env = schedule, dict(env)
        self.log = state.log("backup")
        self.running: subprocess.Popen[bytes] | None = None
        self.not_before = 0.0

    def tend(self) -> None:
        """Start a backup that is due, and look after the one that runs."""
        if self.running is not None:
            self.look()
        elif time.monotonic() >= self.not_before:
            try:
                if self.schedule.due_in(time.time()) <= 0:
                    self.start()
            except OSError as error:
                self.put_off(f"The folder of backups cannot be read ({error}).")

    def start(self) -> None:
        command = [sys.executable, "manage.py", "backup", "--into", str(self.schedule.folder)]
        with self.log.open("ab") as log:
            self.running = process.spawn(
                [*command, "--keep", str(self.schedule.keep)],
                death_signal=signal.SIGKILL,
                env=self.env,
                cwd=CLONE,
                stdout=log,
                stderr=log,
            )

    def look(self) -> None:
        assert self.running is not None
        if self.running.poll() is None:
            return
        if self.running.returncode != 0:
            self.put_off(f"The scheduled backup failed.\n{tail(self.log, 3)}")
        self.running = None

    def put_off(self, why: str) -> None:
        self.not_before = time.monotonic() + AGAIN_SECONDS
        say(f"{why} It is tried again in 15 minutes.")

    def stop(self) -> None:
        """Interrupt the backup that runs, so that it deletes what it has written; kill it where that takes too long."""
        if self.running is not None:
            self.running.send_signal(signal.SIGINT)
            try:
                self.running.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.running.kill()
                self.running.wait()
            self.running = None
