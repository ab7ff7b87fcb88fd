"""Make a backup while people work, restore one into an empty installation, and delete old ones."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import IO, cast

import pyrage
from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation_app.backups.archive import (
    DUMP,
    FILES,
    MANIFEST,
    Entry,
    Manifest,
    Member,
    Writer,
    archive_check,
    archive_opened,
    archive_written,
)
from annotation_app.backups.database import (
    database_dump,
    database_load,
    migrations_applied,
    migrations_known,
    server_major,
    snapshot,
)
from annotation_app.backups.faults import BackupFault
from annotation_app.backups.sealing import recipient_of
from annotation_app.models import Import, Mail
from annotation_app.projects.lifecycle import STORED

# A job that ends may delete its file between the snapshot and the copy. The backup is then begun again.
TRIES = 5
# The folder of one under way, and after how long without a write it is taken for one that was killed.
UNFINISHED = ".quorum-backup-"
IDLE_SECONDS = 3600.0
# What scheduled backups are called, by the time in UTC.
NAMED = re.compile(r"quorum-\d{8}T\d{6}Z\.backup")


class FileGone(Exception):
    """Signal that a file was deleted with its row between the snapshot and the copy."""


def backup_make(target: Path, *, public_key: str = "") -> Manifest:
    """Write a backup of one moment to `target`, encrypted for a public key of age where one is given.

    The file is read again and checked before it gets its name. Nothing is left of one that failed. Raises BackupFault,
    and OSError of the disk.
    """
    recipients = [recipient_of(public_key)] if public_key else []
    for _ in range(TRIES):
        try:
            with part_of(target) as part:
                return backup_write(part, recipients)
        except FileGone:
            continue
    raise BackupFault("Files were deleted while they were copied, again and again: make the backup at a quieter time.")


@contextmanager
def part_of(target: Path) -> Iterator[Path]:
    """Yield a file in a folder that only this user reads. It becomes `target` at the end, safe on the disk."""
    leftovers_delete(target.parent)
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=target.parent) as folder:
        part = Path(folder) / "backup"
        # What everybody labelled is for the operator's eyes alone.
        part.touch(mode=0o600)
        yield part
        part.replace(target)
    at = os.open(target.parent, os.O_RDONLY)
    os.fsync(at)
    os.close(at)


def leftovers_delete(folder: Path) -> None:
    """Delete what killed backups left there: it holds the database, and unencrypted. One that still runs is spared."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with suppress(FileNotFoundError):
            if time.time() - max(each.stat().st_mtime for each in (left, *left.iterdir())) > IDLE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def backup_write(part: Path, recipients: list[pyrage.x25519.Recipient]) -> Manifest:
    at = timezone.now()
    # The server keeps no key that reads its backups. A second one, which ends with this call, is for the check alone.
    once = pyrage.x25519.Identity.generate() if recipients else None
    readers = [*recipients, once.to_public()] if once else []
    dump = part.with_name(DUMP)
    with part.open("r+b") as file:
        with snapshot() as name, archive_written(file, at, readers) as writer:
            missing = [path for path in stored_paths() if not file_add(writer, path)]
            database_dump(dump, name)
            with dump.open("rb") as stream:
                writer.add(DUMP, stream, dump.stat().st_size)
            manifest = Manifest(
                version=settings.VERSION,
                postgres=server_major(),
                migrations=migrations_applied(),
                made_at=at,
                entries=writer.entries,
                missing=missing,
            )
            text = manifest.model_dump_json(indent=1).encode()
            writer.member(MANIFEST, BytesIO(text), len(text))
        file.flush()
        os.fsync(file.fileno())
        if archive_check(file, once) != manifest:
            raise BackupFault("The backup was not written as it should be: the disk may be failing. Look at its log.")
    if gone := set(missing).difference(stored_paths()):
        raise FileGone(gone)
    return manifest


def stored_paths() -> list[str]:
    """Return the paths of all files that rows name and need, also in a database of before some of its tables."""
    paths: set[str] = set()
    tables = set(connection.introspection.table_names())
    for model, field, _ in STORED:
        if model._meta.db_table not in tables:
            continue
        rows = model._default_manager.exclude(**{field: ""})
        # The upload of an import that has ended is gone, and its row still has the name.
        needed = rows.filter(state__in=Import.WORKING_STATES) if model is Import else rows
        paths |= set(needed.values_list(field, flat=True))
    return sorted(paths)


def file_add(writer: Writer, path: str) -> bool:
    """Add a stored file. Return whether the storage has it."""
    try:
        stored = default_storage.open(path)
    except FileNotFoundError:
        return False
    with stored:
        writer.add(f"{FILES}{path}", cast(IO[bytes], stored), stored.size)
    return True


def backup_restore(source: Path, *, identity: pyrage.x25519.Identity | None = None) -> Manifest:
    """Restore a backup into an empty database and an empty storage, and migrate it to this version.

    The archive is checked whole before anything is written. Raises BackupFault, and OSError of the disk.
    """
    with source.open("rb") as file, tempfile.TemporaryDirectory(prefix="quorum-restore-") as folder:
        dump = Path(folder) / DUMP
        with dump.open("wb") as copied:
            manifest = archive_check(file, identity, copied)
        version_check(manifest)
        empty_check(manifest)
        restored: list[str] = []
        is_whole = False
        try:
            with archive_opened(file, identity) as members:
                for member in members:
                    if member.name.startswith(FILES):
                        file_restore(member.name.removeprefix(FILES), member, restored)
            database_load(dump)
            is_whole = True
        finally:
            if not is_whole:
                for path in restored:
                    default_storage.delete(path)
    # The connection knows types and plans of the empty database.
    connection.close()
    call_command("migrate", interactive=False, verbosity=0)
    # The installation that was backed up sends them. Their links would not work from here.
    Mail.objects.filter(ended_at=None).update(ended_at=timezone.now(), problem="It waited when the backup was made.")
    return manifest


def file_restore(path: str, content: Member, restored: list[str]) -> None:
    name = default_storage.save(path, File(cast(IO[bytes], content), name=path))
    restored.append(name)
    if name != path:
        raise BackupFault(f"The storage has a file {path} already: restore into an empty one.")


def version_check(manifest: Manifest) -> None:
    """Raise BackupFault for data of a newer program or server: nothing brings them back to an older form."""
    if unknown := sorted(set(manifest.migrations) - migrations_known()):
        raise BackupFault(
            f"Quorum {manifest.version} made this backup, which is newer than this program ({settings.VERSION}; it "
            f"lacks {unknown[0]}): restore it with that version."
        )
    if manifest.postgres > server_major():
        raise BackupFault(
            f"The backup is of PostgreSQL {manifest.postgres}, and this server is {server_major()}: restore it into a "
            f"server of {manifest.postgres} or later."
        )


def empty_check(manifest: Manifest) -> None:
    """Raise BackupFault where the database has tables, or the storage has one of the files."""
    if tables := connection.introspection.table_names():
        raise BackupFault(
            f"The database is not empty: it has {len(tables)} tables. Restore into a new one, such as that of a new "
            "state folder."
        )
    taken = next((each.name for each in manifest.files if default_storage.exists(path_of(each))), None)
    if taken:
        raise BackupFault(
            f"The storage has {taken.removeprefix(FILES)} already: restore into an empty folder of files."
        )


def path_of(entry: Entry) -> str:
    return entry.name.removeprefix(FILES)


def scheduled_name(at: datetime) -> str:
    """Return the name of a backup that is made by a schedule."""
    return f"quorum-{at:%Y%m%dT%H%M%SZ}.backup"


def backups_prune(folder: Path, *, keep: int) -> list[Path]:
    """Delete the oldest scheduled backups of a folder, so that `keep` are left, and return those."""
    found = sorted(path for path in folder.iterdir() if NAMED.fullmatch(path.name))
    old = found[: max(0, len(found) - keep)]
    for path in old:
        path.unlink()
    return old
