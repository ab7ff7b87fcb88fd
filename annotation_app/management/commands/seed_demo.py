"""manage.py seed_demo: the demo projects with their people, where the launcher's own servers run on loopback."""

import base64
import hashlib
import hmac
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation_app.demo import paths
from annotation_app.demo.people import ADMIN
from annotation_app.factoids.list_files import list_import
from annotation_app.factoids.phases import phase_open
from annotation_app.factoids.sets import text_set_create
from annotation_app.factoids.text_files import JSONL, texts_read
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.ingest.source import source_opened
from annotation_app.models import Capability, FactoidPhase, Import, Project, Role, User
from annotation_app.projects.accounts import account_switch
from annotation_app.projects.services import member_add, project_create


@dataclass(frozen=True)
class Demo:
    """Describe a project to make, with its text and the people beside its admin."""

    name: str
    description: str
    codebook: str
    budget: int | None
    path: Path
    options: ImportOptions
    members: tuple[tuple[str, Role], ...]


ANNOTATORS = {"demo-anna": "Anna", "demo-bruno": "Bruno", "demo-chloe": "Chloe"}
ADJUDICATOR = "demo-dora"
PEOPLE = {ADMIN: "Demo Admin", **ANNOTATORS, ADJUDICATOR: "Dora"}
WORK = {ADMIN: "admin of all projects", ADJUDICATOR: "adjudicator (validates)"}
STAGES = Demo(
    name="Monetary Board of Vellmark (demo)",
    description="Three meetings of a fictional central-bank board, coded in five stages.",
    codebook="five-stage",
    budget=300,
    path=paths.CORPUS,
    options=ImportOptions(format="convokit"),
    members=tuple((username, Role.ANNOTATOR) for username in ANNOTATORS),
)
SPANS = Demo(
    name="Reports on the Monetary Board (demo)",
    description="Newspaper reports beside the statements that they interpret, to be marked with spans and comments.",
    codebook="spans",
    budget=None,
    path=paths.REPORTS,
    options=ImportOptions(format="jsonl", unit="document"),
    members=(*STAGES.members, (ADJUDICATOR, Role.ADJUDICATOR)),
)
NOTES = Demo(
    name="Notes on the Monetary Board (demo)",
    description="Short notes beside the statements that they interpret: marked, validated and grouped for Interpret.",
    codebook="spans",
    budget=None,
    path=paths.NOTES,
    options=ImportOptions(format="jsonl", unit="document"),
    members=(("demo-anna", Role.ANNOTATOR), (ADJUDICATOR, Role.ADJUDICATOR)),
)


TEXT_SET = "The ferry Marta"
# Who started which list of factoids.
LISTS = {"demo-anna": paths.FACTOIDS / "list_a.json", "demo-bruno": paths.FACTOIDS / "list_b.json"}


class Command(BaseCommand):
    help = "Makes the demo projects and their sign-ins. Repeating it changes nothing."
    # Runs at every start, while a person waits.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--off", action="store_true", help="switch the demo accounts off instead")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["off"]:
            for user in User.objects.filter(username__in=PEOPLE, is_active=True):
                if user.check_password(demo_password(user.username)):
                    account_switch(user=user, is_active=False)
            return
        if not settings.EMBEDDED:
            raise CommandError("Demo accounts are made only on the servers that `make up` starts on this machine.")
        with transaction.atomic():
            people = {username: person_make(username, display_name) for username, display_name in PEOPLE.items()}
            projects = [(demo, project_make(demo, people)) for demo in (STAGES, SPANS, NOTES)]
        for demo, project in projects:
            text_import(demo, project, people[ADMIN])
        factoids_make(projects[0][1], people)
        self.stdout.write("Demo sign-ins (only on this machine):")
        for username in PEOPLE:
            self.stdout.write(f"  {username:<12} {demo_password(username)}  {WORK.get(username, 'annotator')}")


def text_import(demo: Demo, project: Project, admin: User) -> None:
    if project.imports.filter(state=Import.State.DONE).exists():
        return
    imported = import_from_path(project=project, actor=admin, path=demo.path, options=demo.options)
    if imported.state != Import.State.DONE:
        raise CommandError(f"The demo text was not imported: {imported.report}")


@transaction.atomic
def factoids_make(project: Project, people: dict[str, User]) -> None:
    """Make a text set, and an open phase in which two people have begun to define factoids.

    A project that was archived, or whose people were changed, stays as it is.
    """
    raters = project.memberships.active_with(Capability.RATE)
    members = dict(raters.filter(user__username__in=LISTS).values_list("user__username", "uuid"))
    if project.text_sets.exists() or project.archived_at is not None or len(members) < len(LISTS):
        return
    path = paths.FACTOIDS / "texts.jsonl"
    with source_opened(name=path.name, path=path) as source:
        texts = texts_read([source], JSONL)
    admin = people[ADMIN]
    text_set = text_set_create(project=project, actor=admin, name=TEXT_SET, texts=texts)
    kind, step = FactoidPhase.Kind.DEFINITION, FactoidPhase.Step.INDEPENDENT
    phase = phase_open(text_set=text_set, actor=admin, kind=kind, step=step, members=list(members.values()))
    for name, file in LISTS.items():
        list_import(
            text_set=text_set,
            actor=admin,
            phase=phase.uuid,
            member=members[name],
            data=file.read_bytes(),
            filename=file.name,
        )


def demo_password(username: str) -> str:
    """Derive the password from this installation's secret key: stable here, different everywhere else."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"demo:{username}".encode(), hashlib.sha256)
    text = base64.b32encode(digest).decode().lower()
    return f"{text[:5]}-{text[5:10]}"


def person_make(username: str, display_name: str) -> User:
    user, _ = User.objects.get_or_create(username=username, defaults={"display_name": display_name})
    if not user.is_active:
        account_switch(user=user, is_active=True)
    if not user.check_password(demo_password(username)):
        user.set_password(demo_password(username))
        user.can_create_projects = username == ADMIN
        user.save()
    return user


def project_make(demo: Demo, people: dict[str, User]) -> Project:
    admin = people[ADMIN]
    existing = Project.objects.filter(name=demo.name, created_by=admin).first()
    if existing is not None:
        return existing
    project = project_create(
        owner=admin,
        name=demo.name,
        description=demo.description,
        annotation_budget=demo.budget,
        codebook=demo.codebook,
    )
    for username, role in demo.members:
        member_add(project=project, user=people[username], role=role)
    return project
