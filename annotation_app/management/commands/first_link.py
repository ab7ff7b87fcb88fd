"""manage.py first_link: a link with which the first person makes their account in the browser."""

from typing import Any

from django.core.management.base import BaseCommand

from annotation_app.projects.first_account import FIRST_LINK_HOURS, first_link_create
from annotation_app.projects.own_address import address


class Command(BaseCommand):
    help = "Makes the link of the first account, where nobody may create projects yet. Earlier links end."
    # Runs at every start, while a person waits.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if token := first_link_create():
            self.stdout.write("Make the first account in your browser, with this link:")
            self.stdout.write(f"  {address()}first-account#{token}")
            self.stdout.write(f"It works once, for {FIRST_LINK_HOURS} hours; the next start prints a new one.")
