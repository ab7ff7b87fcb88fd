"""Keep the logs of `make up` small while its processes write them."""

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation_app.embedded.errors import LaunchError

# The logs' sizes are looked at so often.
LOOK_SECONDS = 30.0


@dataclass
class Logs:
    """Hold the folder of the logs, the size at which one is put aside, and how many old ones of each are kept."""

    folder: Path
    most_bytes: int
    n_old: int
    looked_at: float = float("-inf")

    def tend(self) -> None:
        """Put the long logs aside, where it was not done just now."""
        if time.monotonic() - self.looked_at < LOOK_SECONDS:
            return
        self.looked_at = time.monotonic()
        for path in self.folder.glob("*.log"):
            self.put_aside(path)

    def put_aside(self, path: Path) -> None:
        """Copy a long log and empty it, since whoever writes it keeps it open and writes on at its end.

        A line that is written between the two is lost.
        """
        if not path.exists() or path.stat().st_size <= self.most_bytes:
            return
        for number in range(self.n_old - 1, 0, -1):
            if (older := old(path, number)).exists():
                older.replace(old(path, number + 1))
        if self.n_old:
            shutil.copy2(path, old(path, 1))
        os.truncate(path, 0)


def old(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def logs_of(folder: Path, env: Mapping[str, str]) -> Logs:
    """Return the logs with the limits that the settings name. Raises LaunchError for a wrong value."""
    most_bytes = whole("QUORUM_LOG_BYTES", env.get("QUORUM_LOG_BYTES", "8388608"), least=1024)
    return Logs(folder, most_bytes, whole("QUORUM_LOG_FILES", env.get("QUORUM_LOG_FILES", "5"), least=0))


def whole(name: str, given: str, *, least: int) -> int:
    if not given.isdigit() or int(given) < least:
        raise LaunchError(f"{name}={given} is no whole number from {least} on.")
    return int(given)
