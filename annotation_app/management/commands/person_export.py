"""manage.py person_export USERNAME FILE: what is stored about one person, as JSON files in a ZIP."""

from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.paths import file_check
from annotation_app.management.people import person_named
from annotation_app.personal_data.export import person_export


class Command(BaseCommand):
    help = "Writes what is stored about one person into a new ZIP, a JSON file for each table. The log notes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("file", type=Path, help="the ZIP, which must not exist")

    def handle(self, *args: Any, **given: Any) -> None:
        target: Path = given["file"]
        user = person_named(given["username"])
        file_check(target)
        with ExitStack() as unfinished:
            unfinished.callback(target.unlink, missing_ok=True)
            try:
                counts = person_export(user=user, path=target)
            except FileExistsError as error:
                # It is somebody else's file.
                unfinished.pop_all()
                raise CommandError(f"{target} exists: name a new file.") from error
            unfinished.pop_all()
        self.stdout.write(f"{target}: {sum(counts.values()):,} rows of {len(counts)} tables. Give it to nobody else.")
