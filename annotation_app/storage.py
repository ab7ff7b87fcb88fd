"""Store files, and return what identifies them."""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import DatabaseError

from annotation_app.refusals import Refused

if TYPE_CHECKING:
    from annotation_app.stores.bucket import Bucket
    from annotation_app.stores.folder import Folder

# The storage with what both of ours can do beyond Django's.
store = cast("Folder | Bucket", default_storage)


@dataclass(frozen=True)
class StoredFile:
    """Identify a stored file: its name for people, its path in the storage, its hash, and its size in bytes."""

    name: str
    path: str
    sha256: str
    size: int


def file_store(source: Path, target: str, *, name: str = "") -> StoredFile:
    """Copy a file into the storage as `target`, or under a similar name where that is taken.

    `name` is the file's own by default. A worker's target names its attempt, so that a worker that lost its lease
    overwrites nothing.
    """
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        path = default_storage.save(target, File(file))
    return StoredFile(name=name or source.name, path=path, sha256=digest, size=source.stat().st_size)


@contextmanager
def stored_copy(path: str) -> Iterator[Path]:
    """Yield a copy of a stored file in a folder that goes with it, for what reads only files of this machine."""
    with tempfile.TemporaryDirectory(prefix="quorum-") as folder, default_storage.open(path) as stored:
        copy = Path(folder) / Path(path).name
        with copy.open("wb") as target:
            shutil.copyfileobj(stored, target)
        yield copy


@contextmanager
def stored_files(folder: str, paths: Iterable[Path]) -> Iterator[list[StoredFile]]:
    """Store the files, and take them out again where the rows cannot be written."""
    stored = [file_store(path, f"{folder}/{path.name}") for path in paths]
    try:
        yield stored
    except (DatabaseError, Refused):
        for file in stored:
            default_storage.delete(file.path)
        raise
