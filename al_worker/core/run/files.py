"""Hash files and values, by which a step knows that its work is done, and publish folders whole."""

import errno
import json
import os
import shutil
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

BLOCK = 1 << 20
# Writing a folder takes seconds, so one this old was left by a process that was killed.
STALE_SECONDS = 3600.0


def file_hash(path: Path) -> str:
    """Return the sha256 of the file, or "" when there is none."""
    if not path.is_file():
        return ""
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def value_hash(value: Mapping[str, Any]) -> str:
    """Return the sha256 of the value as canonical JSON."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def folder_aside(parent: Path, name: str) -> Path:
    """Create an empty folder to write in before it is published as parent/name.

    Folders that killed processes left in `parent` are deleted.
    """
    for left in parent.glob(".*.*"):
        if left.is_dir() and _age(left) > STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    temporary = parent / f".{name}.{os.getpid()}"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    return temporary


def publish_folder(temporary: Path, target: Path) -> None:
    """Flush the files and rename the folder.

    If another process was quicker with the same content, its folder stays and this one is deleted.
    """
    for path in temporary.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    try:
        temporary.rename(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        shutil.rmtree(temporary)


def drop_folder(folder: Path) -> None:
    """Rename the folder away, then delete it, so that other processes find all of it or nothing."""
    gone = folder.with_name(f".{folder.name}.{os.getpid()}.dropped")
    folder.rename(gone)
    for left in folder.parent.glob(f".{folder.name}.*.dropped"):
        shutil.rmtree(left, ignore_errors=True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Append an object as one line of JSON and flush it to disk, after cutting off any half line that a kill left."""
    data = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode()
    with path.open("ab") as file:
        cut_half_line(path)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def cut_half_line(path: Path) -> None:
    """Cut off a last line that does not end, which a kill left."""
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 1, 0))
        if file.read(1) in (b"", b"\n"):
            return
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
