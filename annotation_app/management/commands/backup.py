"""manage.py backup FILE: writes a backup of the database and the stored files while people work."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation_app.backups.faults import BackupFault
from annotation_app.backups.services import backup_make, backups_prune, scheduled_name
from annotation_app.management.paths import file_check


class Command(BaseCommand):
    help = "Writes a backup of the database and the stored files, of one moment, while people work."
    # A start with a newer program makes one before it migrates.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("file", nargs="?", type=Path, help="the backup's file, which must not exist")
        where.add_argument("--into", type=Path, metavar="FOLDER", help="name it by the time, in this folder")
        parser.add_argument(
            "--public-key",
            default=settings.BACKUP_PUBLIC_KEY,
            metavar="KEY",
            help="encrypt it for this public key of age (by default QUORUM_BACKUP_PUBLIC_KEY)",
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="with --into: then delete the oldest there, so that N are left"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        folder, keep = given["into"], given["keep"]
        if keep is not None and (folder is None or keep < 1):
            raise CommandError("--keep takes a number from 1 on, and goes with --into.")
        target = given["file"] or folder / scheduled_name(timezone.now())
        file_check(target)
        if target.exists():
            raise CommandError(f"{target} exists: name a new file.")
        try:
            manifest = backup_make(target, public_key=given["public_key"])
        except (BackupFault, OSError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        sealed = "encrypted" if given["public_key"] else "not encrypted"
        holds = f"{target.stat().st_size:,} bytes, {len(manifest.files):,} files and the database"
        self.stdout.write(f"{target}: {holds}, checked, {sealed}.")
        for name in manifest.missing:
            self.stderr.write(f"The storage has no {name}, which the database names: it is in no backup from now on.")
        for path in backups_prune(folder, keep=keep) if keep is not None else ():
            self.stdout.write(f"{path} was deleted: {keep} are kept.")
