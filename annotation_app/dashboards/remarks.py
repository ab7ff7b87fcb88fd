"""List comments, skips with reasons and flags for admins, newest first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from annotation_app.dashboards.statements import SQL
from annotation_app.dashboards.threads import Message, messages_of
from annotation_app.db.statement import statement
from annotation_app.models import Batch, Membership

PAGE_SIZE = 25
KINDS = ("all", "comment", "skip", "flag")
STATES = ("open", "waiting", "resolved", "all")


@dataclass(frozen=True)
class RemarkFilters:
    """Choose remarks. `person` and `batch` are UUIDs, None for all; `q` is searched in words, text and item id."""

    reader: Membership
    kind: str = "all"
    state: str = "open"
    person: UUID | None = None
    batch: UUID | None = None
    q: str = ""

    def parameters(self) -> dict[str, Any]:
        return {
            "project": self.reader.project_id,
            "reader": self.reader.pk,
            "kind": self.kind,
            "state": self.state,
            "person": self.person,
            "batch": self.batch,
            "q": self.q.strip(),
        }


@dataclass(frozen=True)
class Remark:
    """Hold a remark; `before` and `after` are up to 300 characters of the utterance around the item's text.

    A flag `waits` while the admins have the next word, and is `unread` while the reader has not seen all of its thread.
    """

    id: UUID
    kind: str
    words: str
    created_at: datetime
    person: UUID
    who: str
    batch_kind: str
    batch_number: int
    codebook: int
    item: UUID
    item_id: str
    text: str
    before: str
    after: str
    resolved: bool
    resolved_at: datetime | None
    resolved_by: str | None
    n_messages: int
    waits: bool
    unread: bool


@dataclass(frozen=True)
class RemarkPage:
    """Hold a page of remarks, and the threads of its flags by the flag's UUID.

    `hidden` counts others' remarks in the batch on items where the reader's own answer is not locked, whatever else
    the filters ask for: a count of those that match would tell what they say.
    """

    remarks: list[Remark]
    threads: dict[UUID, list[Message]]
    n: int
    hidden: int
    page: int
    n_pages: int


def remarks_found(filters: RemarkFilters) -> tuple[list[Remark], int]:
    """Return the remarks that the reader may see, and the number of those they may not see yet."""
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "remarks.sql"), filters.parameters())
        rows = cursor.fetchall()
    return [Remark(*row[:-1]) for row in rows if not row[-1]], sum(row[-1] for row in rows)


def remark_page(*, filters: RemarkFilters, page: int) -> RemarkPage:
    found, hidden = remarks_found(filters)
    shown = found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    threads = messages_of([each.id for each in shown if each.kind == "flag"])
    return RemarkPage(shown, threads, len(found), hidden, page, max(1, -(-len(found) // PAGE_SIZE)))


def batches_of(reader: Membership) -> list[Batch]:
    """Return the batches to choose from, newest first."""
    return list(reader.project.batches.order_by("-pk"))
