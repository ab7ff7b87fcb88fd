"""Write a backup as one tar file, and read it again.

Members are the stored files below `files/`, the dump of the database, and last the manifest, which has the SHA-256 and
size of each.
"""

import hashlib
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

import pyrage
from pydantic import BaseModel, ValidationError

from annotation_app.backups.faults import BackupFault
from annotation_app.backups.sealing import PIECE, is_sealed, sealed, unsealed

FORMAT = 1
MANIFEST, DUMP, FILES = "manifest.json", "database.dump", "files/"
# What is wrong with bytes that end early or were changed.
DAMAGED = "The backup is damaged or ends early: use another copy of it."


class Entry(BaseModel):
    """Hold a member's name, size in bytes, and SHA-256."""

    name: str
    size: int
    sha256: str


class Manifest(BaseModel):
    """Hold what an archive was made from: program version, the server's major version, and applied migrations.

    `missing` are files that rows named and the storage had no more.
    """

    format: int = FORMAT
    version: str
    postgres: int
    migrations: list[str]
    made_at: datetime
    entries: list[Entry]
    missing: list[str] = []

    @property
    def files(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.name.startswith(FILES)]


class Hashed:
    """Pass a stream's bytes on, and hash them."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.digest = hashlib.sha256()
        self.size = 0

    def read(self, count: int = PIECE) -> bytes:
        part = self.stream.read(count)
        self.digest.update(part)
        self.size += len(part)
        return part

    def seekable(self) -> bool:
        """Return that it is read once: a bucket takes it as it comes."""
        return False

    def entry(self, name: str) -> Entry:
        return Entry(name=name, size=self.size, sha256=self.digest.hexdigest())


class Writer:
    """Add members to an archive, and keep what its manifest says of them."""

    def __init__(self, tar: tarfile.TarFile, at: datetime) -> None:
        self.tar, self.at = tar, at
        self.entries: list[Entry] = []

    def add(self, name: str, stream: IO[bytes], size: int) -> None:
        """Add `size` bytes of the stream. Raises OSError where it has fewer."""
        hashed = Hashed(stream)
        self.member(name, cast(BinaryIO, hashed), size)
        self.entries.append(hashed.entry(name))

    def member(self, name: str, stream: BinaryIO, size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = size, int(self.at.timestamp()), 0o600
        self.tar.addfile(info, stream)


@contextmanager
def archive_written(file: BinaryIO, at: datetime, recipients: list[pyrage.x25519.Recipient]) -> Iterator[Writer]:
    """Yield the writer of an archive, encrypted where there are recipients."""
    if recipients:
        with sealed(file, recipients) as stream, archive_written(stream, at, []) as writer:
            yield writer
        return
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        yield Writer(tar, at)


class Member(Hashed):
    """Hold a member of an archive while its bytes are read."""

    def __init__(self, name: str, stream: BinaryIO, size: int) -> None:
        super().__init__(stream)
        self.name = name
        self.declared = size


@contextmanager
def archive_opened(file: BinaryIO, identity: pyrage.x25519.Identity | None) -> Iterator[Iterator[Member]]:
    """Yield the members of an archive, each to be read before the next. Raises BackupFault where that is impossible."""
    file.seek(0)
    try:
        if not is_sealed(file):
            yield members_of(file)
            return
        if identity is None:
            raise BackupFault("The backup is encrypted: name the file with its secret key (--key).")
        with unsealed(file, identity) as stream:
            yield members_of(stream)
            # What stands behind the archive's end is read too: the last bytes say whether all came through unchanged.
            while stream.read(PIECE):
                pass
    except (tarfile.TarError, EOFError) as error:
        raise BackupFault(DAMAGED) from error


def members_of(stream: BinaryIO) -> Iterator[Member]:
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for info in tar:
            content = tar.extractfile(info)
            if content is None:
                raise BackupFault(f"The backup holds {info.name!r}, which is no file: it was not made by Quorum.")
            yield Member(info.name, cast(BinaryIO, content), info.size)


def archive_check(file: BinaryIO, identity: pyrage.x25519.Identity | None, dump: BinaryIO | None = None) -> Manifest:
    """Read an archive to its end and return its manifest. The database's dump is copied to `dump`.

    Raises BackupFault unless every member is there as it was written.
    """
    found: list[Entry] = []
    manifest: Manifest | None = None
    with archive_opened(file, identity) as members:
        for member in members:
            if member.name == MANIFEST:
                manifest = manifest_of(member)
                continue
            while part := member.read():
                if dump is not None and member.name == DUMP:
                    dump.write(part)
            found.append(member.entry(member.name))
    if manifest is None or found != manifest.entries:
        raise BackupFault(DAMAGED)
    return manifest


def manifest_of(member: Member) -> Manifest:
    """Read the manifest. Raises BackupFault where a newer program wrote it, or it names a path outside the storage."""
    text = member.read(member.declared)
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        raise BackupFault(DAMAGED) from error
    if manifest.format != FORMAT:
        raise BackupFault(
            f"Quorum {manifest.version} made this backup in a later format: restore it with that version."
        )
    for entry in manifest.files:
        path = PurePosixPath(entry.name.removeprefix(FILES))
        if ".." in path.parts or path.is_absolute():
            raise BackupFault(f"The backup names {entry.name!r}, which is outside the storage.")
    return manifest
