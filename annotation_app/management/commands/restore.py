"""manage.py restore FILE: restores a backup into an empty database and an empty storage."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.backups.faults import BackupFault
from annotation_app.backups.sealing import identity_of
from annotation_app.backups.services import backup_restore


class Command(BaseCommand):
    help = "Restores a backup into an empty database and an empty storage, and migrates it to this version."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup's file")
        parser.add_argument(
            "--key", type=Path, metavar="FILE", help="the file with the secret key, where it is encrypted"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            identity = identity_of(given["key"].read_text(encoding="utf-8")) if given["key"] else None
            manifest = backup_restore(given["file"], identity=identity)
        except (BackupFault, OSError) as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        at = f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
        self.stdout.write(
            f"Restored: the database and {len(manifest.files):,} files, as they stood at {at}, from Quorum "
            f"{manifest.version}."
        )
