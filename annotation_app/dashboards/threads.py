"""Read the threads of flags: a person's own ones, and their messages."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from annotation_app.dashboards.statements import SQL
from annotation_app.db.statement import statement
from annotation_app.models import Assignment, FlagMessage, Membership

PAGE_SIZE = 25


@dataclass(frozen=True)
class Message:
    """Hold a message of a thread. `is_asker`: by the person who flagged. `is_note`: published to everybody too."""

    id: UUID
    who: str
    is_asker: bool
    words: str
    is_note: bool
    created_at: datetime


@dataclass(frozen=True)
class OwnFlag:
    """Hold a person's own flag. `unread` counts others' messages; `final` says that the answer can't be changed."""

    messages: list[Message]
    id: UUID
    assignment: UUID
    words: str
    created_at: datetime
    batch_kind: str
    batch_number: int
    text: str
    resolved: bool
    unread: int
    final: bool


@dataclass(frozen=True)
class OwnFlagPage:
    """Hold a page of a person's own flags; `n` counts all of them."""

    flags: list[OwnFlag]
    n: int
    page: int
    n_pages: int


def messages_of(flags: Collection[UUID]) -> dict[UUID, list[Message]]:
    """Return the messages of flags by the flag's UUID, oldest first. The caller has made sure that they may be read."""
    threads: dict[UUID, list[Message]] = {uuid: [] for uuid in flags}
    rows = FlagMessage.objects.filter(flag__uuid__in=threads).order_by("pk")
    for row in rows.select_related("flag__assignment", "author__user"):
        is_asker = row.author_id == row.flag.assignment.annotator_id
        threads[row.flag.uuid].append(
            Message(row.uuid, row.author.user.shown_name, is_asker, row.words, row.note_id is not None, row.created_at)
        )
    return threads


def own_flags(member: Membership, *, assignment: UUID | None, page: int) -> OwnFlagPage:
    """Return the member's own flags with their threads, all of them or those on one item."""
    given: dict[str, Any] = {"reader": member.pk, "assignment": assignment, "size": PAGE_SIZE, "page": page}
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "own_flags.sql"), given)
        rows = cursor.fetchall()
    threads = messages_of([row[0] for row in rows])
    flags = [OwnFlag(threads[row[0]], *row[:-1]) for row in rows]
    n = rows[0][-1] if rows else 0
    return OwnFlagPage(flags, n, page, max(1, -(-n // PAGE_SIZE)))


def flagged_assignments(member: Membership) -> list[UUID]:
    """Return the member's own assignments that they flagged."""
    return list(
        Assignment.objects.filter(annotator=member, flags__isnull=False).distinct().values_list("uuid", flat=True)
    )
