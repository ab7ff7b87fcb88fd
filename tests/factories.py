"""Small real rows for tests, made through the same tables as the product."""

import json
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from annotation_app.codebook.definition import definition_of, parse_definition
from annotation_app.demo.paths import CODEBOOK
from annotation_app.models import (
    CodebookVersion,
    Document,
    Import,
    Item,
    Membership,
    Project,
    User,
    Utterance,
    WorkerBeat,
)

PASSWORD = "a-test-password"


def make_user(username: str) -> User:
    return User.objects.create_user(username=username, password=PASSWORD, display_name=username.title())


def make_member(project: Project, username: str, role: str) -> Membership:
    number = project.memberships.count() + 1
    return Membership.objects.create(project=project, user=make_user(username), role=role, number=number)


def make_beat(queue: str) -> WorkerBeat:
    """A worker that was seen in an hour: a slow test must not find it dead."""
    soon = timezone.now() + timedelta(hours=1)
    return WorkerBeat.objects.create(name=f"{queue}@test", queue=queue, seen_at=soon, started_at=soon)


def make_project(name: str) -> Project:
    """A project with the published five-stage codebook and no text."""
    owner = make_user(f"owner-of-{name.lower()}")
    project = Project.objects.create(name=name, created_by=owner)
    publish(project, json.loads(CODEBOOK.read_text(encoding="utf-8")))
    return project


def publish(project: Project, definition: dict[str, Any]) -> CodebookVersion:
    """Publish a definition as the newest version, without the service's checks of compatibility."""
    return CodebookVersion.objects.create(
        project=project,
        version=project.codebooks.count() + 1,
        state=CodebookVersion.State.PUBLISHED,
        published_at=timezone.now(),
        definition=definition_of(parse_definition(definition)),
        created_by=project.created_by,
    )


def unpublish(codebooks: QuerySet[CodebookVersion]) -> None:
    """Make drafts of versions, as if they had never been published."""
    codebooks.update(state=CodebookVersion.State.DRAFT, published_at=None)


def make_items(project: Project, texts: list[str], document: str = "doc") -> list[Item]:
    """One document whose utterances are the texts, each an utterance of one sentence and an item of the pool."""
    source = Import.objects.create(project=project, filename="test", format="jsonl", state=Import.State.DONE)
    row = Document.objects.create(
        project=project, source=source, external_id=document, title=document, position=project.documents.count()
    )
    return [make_item(row, position, text) for position, text in enumerate(texts)]


def make_item(document: Document, position: int, text: str) -> Item:
    name = f"{document.external_id}_{position}"
    utterance = Utterance.objects.create(
        document=document,
        external_id=name,
        position=position,
        speaker=f"Speaker {position % 3}",
        text=text,
        n_tokens=len(text.split()),
        sentence_starts=[0],
        sentence_ends=[len(text)],
    )
    return Item.objects.create(
        project=document.project,
        document=document,
        utterance=utterance,
        external_id=f"{name}_1",
        number=1,
        start=0,
        end=len(text),
        text=text,
    )
