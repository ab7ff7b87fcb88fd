"""Files in the storage, with what identifies them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage


@dataclass(frozen=True)
class StoredFile:
    """`name` is what people call the file, `path` where the storage has it; `size` is in bytes."""

    name: str
    path: str
    sha256: str
    size: int


def file_store(source: Path, target: str, *, name: str = "") -> StoredFile:
    """Copy a file into the storage as `target`, or beside it where that is taken. `name` is the file's own by default.

    A worker's target names its attempt, so that one that lost its lease overwrites nothing.
    """
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        path = default_storage.save(target, File(file))
    return StoredFile(name=name or source.name, path=path, sha256=digest, size=source.stat().st_size)
