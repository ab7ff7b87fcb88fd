"""manage.py password_link USERNAME: a link with which a person who forgot their password chooses a new one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.management.people import person_named
from annotation_app.projects.accounts import LINK_HOURS, password_link_create
from annotation_app.projects.own_address import address


class Command(BaseCommand):
    help = "Makes a link with which a person chooses a new password, once, within a day. Earlier links end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = person_named(options["username"])
        if not user.is_active:
            raise CommandError(f"The account {user.username} is switched off: manage.py switch_account {user.username}")
        _, token = password_link_create(user=user, actor=None)
        self.stdout.write(f"Works once, for {LINK_HOURS} hours. Give it to {user.shown_name} alone:")
        self.stdout.write(f"{address()}password#{token}")
