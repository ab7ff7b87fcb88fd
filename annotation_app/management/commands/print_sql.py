"""manage.py print_sql [NAME]: a statement whole, as psql takes it; without a name, the names of all statements."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.printed import named_statements, printed


class Command(BaseCommand):
    help = "Prints one of the SQL statements that are put together from files, ready for psql, or lists their names."
    # It reads files only, and so works without a database.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the statement's name; all names are listed if left out")
        parser.add_argument("--explain", action="store_true", help="put EXPLAIN before it, so that it is not run")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if name is None:
            self.stdout.write("\n".join(sorted(named_statements())))
            return
        if name not in named_statements():
            raise CommandError(f"No statement is called {name!r}: `manage.py print_sql` lists the names.")
        self.stdout.write(printed(name, verb="EXPLAIN" if options["explain"] else ""))
