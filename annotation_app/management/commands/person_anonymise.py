"""manage.py person_anonymise USERNAME [--yes]: take a person's names and texts out of the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.db.owner import NotOwner, owner_connect
from annotation_app.management.people import person_named
from annotation_app.personal_data.anonymise import Anonymised, person_anonymise
from annotation_app.refusals import Refused

MEND = "Look through them: names in texts of others and in corpora are not changed."


class Command(BaseCommand):
    help = (
        "Takes a person's names and texts out of the database. Their labels stay, under the pseudonym of exports. "
        "Without --yes it only tells what would go. Nobody can take it back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="do it, and not only tell what would go")
        parser.add_argument(
            "--span-comments", action="store_true", help="remove the comments of their spans too, which else stay"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            owner_connect()
            done = person_anonymise(
                user=person_named(given["username"]), span_comments=given["span_comments"], is_trial=not given["yes"]
            )
        except (NotOwner, Refused) as error:
            raise CommandError(f"Nothing was changed. {error}") from error
        self.tell(done, is_done=given["yes"])

    def tell(self, done: Anonymised, *, is_done: bool) -> None:
        self.stdout.write("Removed or emptied:" if is_done else "This would be removed or emptied:")
        for what, rows in sorted(done.counts.items()):
            if rows:
                self.stdout.write(f"  {what}: {rows:,}")
        if done.left:
            self.stdout.write("A name or address of the person still stands in rows of these tables:")
            for table, rows in sorted(done.left.items()):
                self.stdout.write(f"  {table}: {rows:,}")
            self.stdout.write(MEND)
        if is_done:
            self.stdout.write(f"The account is now {done.name}, and nobody can sign in to it.")
            self.stdout.write("Backups and releases made before still hold what they held.")
        else:
            self.stdout.write("Nothing was changed. Do it with --yes: nobody can take it back.")
