"""manage.py switch_account USERNAME [--off]: whether a person can sign in at all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation_app.management.people import person_named
from annotation_app.projects.accounts import account_switch


class Command(BaseCommand):
    help = "Switches an account on, or with --off off: its sessions end at once. What the person labelled stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--off", action="store_true", help="nobody can sign in by it any more")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account_switch(user=person_named(options["username"]), is_active=not options["off"])
        self.stdout.write(f"The account {user.username} is switched {'on' if user.is_active else 'off'}.")
