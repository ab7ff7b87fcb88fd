"""manage.py seed_demo: the demo project with its people, where the launcher's own servers run on loopback."""

import base64
import hashlib
import hmac
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation_app.demo.paths import CORPUS
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Import, Project, Role, User
from annotation_app.projects.services import member_add, project_create

PROJECT = "Monetary Board of Vellmark (demo)"
DESCRIPTION = "Three meetings of a fictional central-bank board, coded in five stages."
ADMIN = ("demo-admin", "Demo Admin")
ANNOTATORS = (("demo-anna", "Anna"), ("demo-bruno", "Bruno"), ("demo-chloe", "Chloe"))


class Command(BaseCommand):
    help = "Makes the demo project and its sign-ins. Repeating it changes nothing."
    # Runs at every start, while a person waits.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("Demo accounts are made only on the servers that `make up` starts on this machine.")
        with transaction.atomic():
            people = [person_make(*names) for names in (ADMIN, *ANNOTATORS)]
            project = project_make(people)
        if not project.imports.filter(state=Import.State.DONE).exists():
            imported = import_from_path(
                project=project, actor=people[0], path=CORPUS, options=ImportOptions(format="convokit")
            )
            if imported.state != Import.State.DONE:
                raise CommandError(f"The demo text was not imported: {imported.report}")
        self.stdout.write("Demo sign-ins (only on this machine):")
        for username, _ in (ADMIN, *ANNOTATORS):
            self.stdout.write(f"  {username:<12} {demo_password(username)}")


def demo_password(username: str) -> str:
    """Made from this installation's secret key: the same at every start, nowhere the same as elsewhere."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"demo:{username}".encode(), hashlib.sha256)
    text = base64.b32encode(digest).decode().lower()
    return f"{text[:5]}-{text[5:10]}"


def person_make(username: str, display_name: str) -> User:
    user, _ = User.objects.get_or_create(username=username, defaults={"display_name": display_name})
    if not user.check_password(demo_password(username)):
        user.set_password(demo_password(username))
        user.can_create_projects = username == ADMIN[0]
        user.save()
    return user


def project_make(people: list[User]) -> Project:
    admin, *annotators = people
    existing = Project.objects.filter(name=PROJECT, created_by=admin).first()
    if existing is not None:
        return existing
    project = project_create(owner=admin, name=PROJECT, description=DESCRIPTION, annotation_budget=300)
    for annotator in annotators:
        member_add(project=project, user=annotator, role=Role.ANNOTATOR)
    return project
