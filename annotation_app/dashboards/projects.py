"""Summarise projects and members, in a constant number of queries."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from annotation_app.assignment.selectors import MemberProgress, annotator_progress, members_progress
from annotation_app.models import (
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Document,
    Item,
    Membership,
    Project,
    ProjectDeletion,
    Round,
    TextSet,
)
from annotation_app.rounds.draw import ELIGIBLE


@dataclass(frozen=True)
class ProjectOverview:
    """Hold a project as one member sees it."""

    id: UUID
    name: str
    description: str
    # The shown name of who answers for it.
    owner: str
    role: str
    may: list[str]
    annotation_budget: int | None
    budget_spent: int
    time_zone: str
    created_at: datetime
    archived_at: datetime | None
    # When it is purged, where an admin asked to delete it.
    deletes_at: datetime | None
    pool_size: int
    pool_left: int
    n_documents: int
    active_codebook: CodebookVersion | None
    # One of its published codebooks has a span layer.
    has_spans: bool
    # One of them has stages.
    has_stages: bool
    has_batches: bool
    # Somebody has submitted or skipped an item.
    has_answers: bool
    # It has texts for factoid analysis.
    has_text_sets: bool
    my_progress: MemberProgress
    active_round: Round | None


@dataclass(frozen=True)
class MemberOverview:
    """Hold a member with their share of the batches, as counts only."""

    id: UUID
    display_name: str
    username: str
    role: str
    may: list[str]
    number: int
    is_owner: bool
    is_active: bool
    done: int
    total: int


def project_overviews(memberships: QuerySet[Membership]) -> list[ProjectOverview]:
    """Return an overview for each membership, newest project first."""
    owners = memberships.select_related("project__created_by", "project__transferred_to")
    members = list(owners.order_by("-project__pk"))
    projects = [member.project_id for member in members]
    progress = members_progress(members)
    spent = counts(BatchItem.objects.filter(batch__kind=Batch.Kind.ROUND, is_check=False), "batch__project", projects)
    pool = counts(Item.objects.filter(left_out=""), "project", projects)
    left = counts(Item.objects.filter(ELIGIBLE), "project", projects)
    documents = counts(Document.objects.all(), "project", projects)
    codebooks, rounds = published(projects), active(projects)
    marked, begun = marks_and_stages(projects), what_began(projects)
    deletions = dict(ProjectDeletion.objects.filter(project__in=projects).values_list("project", "purge_after"))
    return [
        ProjectOverview(
            id=member.project.uuid,
            name=member.project.name,
            description=member.project.description,
            owner=member.project.owner.shown_name,
            role=member.role,
            may=member.capabilities(),
            annotation_budget=member.project.annotation_budget,
            budget_spent=spent.get(member.project_id, 0),
            time_zone=member.project.time_zone,
            created_at=member.project.created_at,
            archived_at=member.project.archived_at,
            deletes_at=deletions.get(member.project_id),
            pool_size=pool.get(member.project_id, 0),
            pool_left=left.get(member.project_id, 0),
            n_documents=documents.get(member.project_id, 0),
            active_codebook=codebooks.get(member.project_id),
            has_spans=(member.project_id, "spans") in marked,
            has_stages=(member.project_id, "stages") in marked,
            has_batches=begun[member.project_id].has_batches,
            has_answers=begun[member.project_id].has_answers,
            has_text_sets=begun[member.project_id].has_text_sets,
            my_progress=progress[member.pk],
            active_round=rounds.get(member.project_id),
        )
        for member in members
    ]


def counts(rows: QuerySet, field: str, projects: Sequence[int]) -> dict[int, int]:
    """Count rows by project."""
    return dict(rows.filter(**{f"{field}__in": projects}).values_list(field).annotate(n=Count("pk")))


def published(projects: Sequence[int]) -> dict[int, CodebookVersion]:
    """Return the codebook version that new batches pin, by project."""
    versions = CodebookVersion.objects.filter(project__in=projects, state=CodebookVersion.State.PUBLISHED)
    return {version.project_id: version for version in versions.order_by("published_at", "pk").defer("definition")}


def marks_and_stages(projects: Sequence[int]) -> set[tuple[int, str]]:
    """Return pairs (project, "spans" or "stages") for what the published codebooks have."""
    versions = CodebookVersion.objects.filter(project__in=projects, state=CodebookVersion.State.PUBLISHED)
    layered = Q(definition__span_layer__isnull=False) & ~Q(definition__span_layer=None)
    rows = versions.annotate(
        spans=ExpressionWrapper(layered, output_field=BooleanField()),
        stages=ExpressionWrapper(Q(definition__stages__0__isnull=False), output_field=BooleanField()),
    )
    found = rows.values_list("project_id", "spans", "stages").distinct()
    return {(pk, what) for pk, *has in found for what, is_so in zip(("spans", "stages"), has, strict=True) if is_so}


class Begun(NamedTuple):
    """Hold what a project has already."""

    has_batches: bool
    has_answers: bool
    has_text_sets: bool


def what_began(projects: Sequence[int]) -> dict[int, Begun]:
    """Return by project whether it has a batch, a text set, and an item that somebody finished."""
    done = Assignment.objects.filter(annotator__project=OuterRef("pk"), state__in=Assignment.DONE_STATES).exclude(
        batch_item__batch__kind=Batch.Kind.PRACTICE
    )
    rows = Project.objects.filter(pk__in=projects).values_list(
        "pk",
        Exists(Batch.objects.filter(project=OuterRef("pk"))),
        Exists(done),
        Exists(TextSet.objects.filter(project=OuterRef("pk"))),
    )
    return {pk: Begun(*began) for pk, *began in rows}


def active(projects: Sequence[int]) -> dict[int, Round]:
    rows = Round.objects.filter(project__in=projects, state__in=Round.ACTIVE_STATES)
    return {row.project_id: row for row in rows.only("uuid", "number", "state", "project_id")}


def member_overviews(project: Project) -> list[MemberOverview]:
    """Return everyone who ever belonged, by number; done and total cover the project's batches, without practice."""
    members, owner = project.memberships.select_related("user").order_by("number"), project.owner
    done, total = Counter[int](), Counter[int]()
    for (_, member), (their_done, their_total) in annotator_progress(
        project.batches.exclude(kind=Batch.Kind.PRACTICE)
    ).items():
        done[member] += their_done
        total[member] += their_total
    return [
        MemberOverview(
            id=member.uuid,
            display_name=member.user.shown_name,
            username=member.user.username,
            role=member.role,
            may=member.capabilities(),
            number=member.number,
            is_owner=member.user == owner,
            is_active=member.is_active,
            done=done[member.pk],
            total=total[member.pk],
        )
        for member in members
    ]
