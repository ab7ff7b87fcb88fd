"""manage.py backup_key FILE: makes a pair of keys, for backups that the server itself can't read."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pyrage
from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.paths import file_check


class Command(BaseCommand):
    help = "Makes a pair of keys of age: the secret one in a new file, the public one on the screen."
    requires_migrations_checks = False
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file of the secret key, which must not exist")

    def handle(self, *args: Any, **given: Any) -> None:
        file_check(given["file"])
        identity = pyrage.x25519.Identity.generate()
        try:
            descriptor = os.open(given["file"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise CommandError(f"{given['file']} exists: name a new file.") from error
        with os.fdopen(descriptor, "w") as file:
            file.write(f"# public key: {identity.to_public()}\n{identity}\n")
        self.stdout.write(str(identity.to_public()))
        self.stderr.write(f"Keep {given['file']} apart from the server: without it no encrypted backup can be read.")
