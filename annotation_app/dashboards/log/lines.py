"""Read the audit log of a project, newest line first."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from annotation_app.dashboards.log.words import KIND_OF, KINDS, MANY, sentence
from annotation_app.dashboards.statements import SQL
from annotation_app.db.statement import statement
from annotation_app.models import Membership, Project

PAGE_SIZE = 100
SYSTEM = "the system"
# All but the lines of annotations, or these too.
MAIN, ALL = "main", "all"


@dataclass(frozen=True)
class LogFilters:
    """Choose lines. `kind` is MAIN, ALL or a key of KINDS; `person` is a member, "system", or None for everyone."""

    project: Project
    kind: str = MAIN
    person: Membership | Literal["system"] | None = None

    def parameters(self, before: int | None = None) -> dict[str, Any]:
        return {
            "project": self.project.pk,
            "only": list(KINDS[self.kind][1]) if self.kind in KINDS else None,
            "but": MANY if self.kind == MAIN else None,
            "actor": self.person.user_id if isinstance(self.person, Membership) else None,
            "system": self.person == "system",
            "before": before,
        }


@dataclass(frozen=True)
class Line:
    """Hold a line.

    `person` is the membership's id, None for the system and for people who never belonged. `kind` is a key of KINDS,
    None for a verb of another version.
    """

    id: int
    at: datetime
    person: UUID | None
    who: str
    username: str | None
    kind: str | None
    verb: str
    sentence: str
    subject: str
    data: dict[str, Any]


@dataclass(frozen=True)
class LogPage:
    """Hold a page; `older` is the value of `before` for the next page, None where nothing is older."""

    lines: list[Line]
    older: int | None


def log_page(*, filters: LogFilters, before: int | None) -> LogPage:
    """Return the newest PAGE_SIZE lines of those before the line `before`, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"{lines_statement()}\nLIMIT %(limit)s", {**filters.parameters(before), "limit": PAGE_SIZE + 1})
        found = [line_of(*row) for row in cursor.fetchall()]
    shown = found[:PAGE_SIZE]
    return LogPage(lines=shown, older=shown[-1].id if len(found) > PAGE_SIZE else None)


def lines_statement() -> str:
    return f"{statement([], SQL / 'log.sql')}\nORDER BY e.id DESC"


def total_statement() -> str:
    return f"SELECT count(*) FROM (\n{statement([], SQL / 'log.sql')}\n) AS line"


def line_of(
    id: int,
    at: datetime,
    person: UUID | None,
    who: str | None,
    username: str | None,
    verb: str,
    subject: str,
    kept: str,
    about: str,
) -> Line:
    """Make a line from a row of log.sql."""
    data = json.loads(kept)
    return Line(
        id=id,
        at=at,
        person=person,
        who=who or SYSTEM,
        username=username,
        kind=KIND_OF.get(verb),
        verb=verb,
        sentence=sentence(verb, data, about),
        subject=subject,
        data=data,
    )
