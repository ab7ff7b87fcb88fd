"""Copy a project: its settings and codebook always, its members and texts where they are wanted, answers never.

Answers belong to the people who gave them for the project that they were asked in. A copy of them would be a second
record that grows apart from the first, and would show one project's answers to the admins of another.
"""

from pathlib import Path

from django.db import connection, transaction

from annotation_app.codebook.definition import faults_of
from annotation_app.db.statement import statement
from annotation_app.db.statistics import analyze
from annotation_app.models import (
    Document,
    Item,
    Membership,
    Project,
    PromptVersion,
    Role,
    User,
    Utterance,
    event_write,
)
from annotation_app.projects.services import (
    codebook_publish,
    draft_write,
    member_add,
    project_begun_before,
    project_write,
    published_codebook,
)
from annotation_app.starts import StartSpec

SQL = Path(__file__).parent / "sql"
SETTINGS = ("description", "annotation_budget", "time_zone")
OF_TEXTS = ("shown_columns",)


class CopySpec(StartSpec):
    """Hold what the copy is called, and what it takes along besides settings, codebook and prompts."""

    name: str
    members: bool = False
    texts: bool = False


@transaction.atomic
def project_copy(*, source: Project, actor: User, spec: CopySpec) -> Project:
    """Make a project like `source`, of which `actor` is an admin, in one transaction.

    Return the one that the same client_id made before. Approvals of language models are given anew: each is an admin's
    word on one project's texts. Raises Refused.
    """
    body_hash = spec.body_hash(str(source.uuid))
    if (before := project_begun_before(actor, spec.client_id, body_hash)) is not None:
        return before
    taken = [*SETTINGS, *(OF_TEXTS if spec.texts else ())]
    fields = {name: getattr(source, name) for name in taken}
    copy = project_write(actor, **fields, name=spec.name, client_id=spec.client_id, body_hash=body_hash)
    codebook_copy(source, copy, actor)
    prompts_copy(source, copy, actor)
    counts = {
        "members": members_copy(source, copy, actor) if spec.members else 0,
        "items": rows_copy("copy_texts", source, copy, actor) if spec.texts else 0,
        "texts": rows_copy("copy_text_sets", source, copy, actor) if spec.texts else 0,
    }
    if counts["items"]:
        analyze(Document, Utterance, Item)
    by, made = actor.pk, copy.uuid
    event_write(verb="project_copied", project=source, actor_id=by, subject=made, name=copy.name, **counts)
    event_write(verb="project_begun_as_copy", project=copy, actor_id=by, subject=made, name=source.name, **counts)
    return copy


def codebook_copy(source: Project, copy: Project, actor: User) -> None:
    """Begin with the version in force, published; where none is published, with the newest draft.

    A version that breaks a rule that came after it becomes a draft, which its admin corrects.
    """
    version = published_codebook(source) or source.codebooks.order_by("-version").first()
    if version is None:
        return
    draft = draft_write(copy, version.definition, actor)
    if version.published_at is not None and not faults_of(version):
        codebook_publish(codebook=draft, actor=actor)


def prompts_copy(source: Project, copy: Project, actor: User) -> None:
    """Begin with the newest prompt of each stage, as its version 1."""
    newest = source.prompt_versions.order_by("stage", "-number").distinct("stage")
    PromptVersion.objects.bulk_create(
        PromptVersion(project=copy, stage=row.stage, number=1, template=row.template, created_by=actor)
        for row in newest
    )


def members_copy(source: Project, copy: Project, actor: User) -> int:
    """Add the active members with their roles, under new pseudonyms. Return how many were added."""
    others = Membership.objects.filter(project=source, is_active=True, user__is_active=True).exclude(user=actor)
    members = list(others.select_related("user").order_by("number"))
    for member in members:
        member_add(project=copy, user=member.user, role=Role(member.role))
    return len(members)


def rows_copy(name: str, source: Project, copy: Project, actor: User) -> int:
    """Copy rows by a statement of `sql/`. Return the number that it counts."""
    with connection.cursor() as cursor:
        given = {"source": source.pk, "copy": copy.pk, "actor": actor.pk}
        cursor.execute(statement([], SQL / f"{name}.sql"), given)
        (count,) = cursor.fetchone()
    return int(count)
