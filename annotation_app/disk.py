"""Check the free disk space: how much is left, what must stay free, and which errors mean that the disk is full."""

import errno
import os
import shutil
from pathlib import Path

from django.conf import settings
from django.db import Error as DatabaseError
from psycopg2.errors import DiskFull as DatabaseDiskFull

FULL = (errno.ENOSPC, errno.EDQUOT)
WORDS = "The server's disk is full, so nothing was stored. Its operator must free some space."


class NoRoom(OSError):
    """Signal that further writing would leave the database less free disk space than the reserve."""

    def __init__(self) -> None:
        super().__init__(errno.ENOSPC, os.strerror(errno.ENOSPC))


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or one that caused it, says that a disk or a quota is full."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, DatabaseDiskFull) or (isinstance(error, OSError) and error.errno in FULL):
            return True
        if isinstance(error, DatabaseError) and "No space left on device" in str(error):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def fault_words(error: BaseException) -> str:
    """Return why the server could not finish a job: the text on a full disk, else the error's own message."""
    return WORDS if is_full(error) else f"The server could not finish it: {error}"


def existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def free_bytes() -> int:
    """Return the free bytes where uploads and releases, and where scratch files lie: the smaller of the two."""
    return min(shutil.disk_usage(existing(Path(each))).free for each in (settings.MEDIA_ROOT, settings.RUNS_DIR))


def is_low() -> bool:
    """Return whether less is free than QUORUM_DISK_RESERVE_BYTES asks for. Uploads are refused meanwhile."""
    return free_bytes() < settings.DISK_RESERVE_BYTES


def room_check(more: int = 0) -> None:
    """Check that `more` further bytes would leave the reserve free. Raises NoRoom where they would not."""
    if free_bytes() - more < settings.DISK_RESERVE_BYTES:
        raise NoRoom
