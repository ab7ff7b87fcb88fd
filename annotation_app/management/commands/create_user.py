"""manage.py create_user USERNAME [--display-name NAME] [--may-create-projects]: a person who can sign in."""

import getpass
import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.projects.services import account_create
from annotation_app.refusals import Invalid


class Command(BaseCommand):
    help = "Makes an account. The password is asked for, or taken from the environment variable QUORUM_PASSWORD."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--display-name", default="")
        parser.add_argument("--may-create-projects", action="store_true", help="may make projects and run them")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = account_create(
                username=options["username"], password=password_ask(), display_name=options["display_name"]
            )
        except Invalid as error:
            raise CommandError(str(error)) from error
        user.can_create_projects = options["may_create_projects"]
        user.save(update_fields=["can_create_projects"])
        self.stdout.write(f"Made {user.username}.")


def password_ask() -> str:
    given = os.environ.get("QUORUM_PASSWORD")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise CommandError("No password: set QUORUM_PASSWORD, or run this in a terminal.")
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise CommandError("The two passwords differ. Run the command again.")
    return first
