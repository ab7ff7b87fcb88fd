"""Derive what waits for a person in all their projects, with what they have read of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from annotation_app.assignment.selectors import batches_progress
from annotation_app.dashboards.pending_work import pending_work
from annotation_app.dashboards.statements import SQL
from annotation_app.db.statement import statement
from annotation_app.models import Batch, Capability, Membership, NoticeRead, User, roles_with
from annotation_app.refusals import NotYours

KINDS = (
    "question",
    "answer",
    "note",
    "batch",
    "failed",
    "complete",
    "validate",
    "decide",
    "agree",
    "release",
)
# Their level is a number of items, which falls as the work is done.
COUNTED = ("validate", "decide", "agree")
# So many are listed, and read at once, at most.
MOST_NOTICES = 200


@dataclass(frozen=True)
class Notice:
    """Hold one thing that waits for a person, or that they should know.

    `n` counts what it is about; `number` and `batch` name the batch, round or release where there is one. A notice that
    was read is unread again once its `level` has grown.
    """

    project: UUID
    project_name: str
    key: str
    kind: str
    level: int
    n: int
    number: int | None
    batch: str
    at: datetime | None
    unread: bool


def notices_of(user: User) -> list[Notice]:
    """Return a person's notices in projects that are not archived: unread ones first, then the newest.

    There are MOST_NOTICES at most. Levels that were read and have fallen since are lowered.
    """
    members = Membership.objects.filter(user=user, is_active=True, project__archived_at=None).select_related("project")
    by_id = {member.pk: member for member in members}
    read = {
        (reader, key): level
        for reader, key, level in NoticeRead.objects.filter(reader__in=by_id).values_list("reader", "key", "level")
    }
    given: dict[str, Any] = {
        "person": user.pk,
        "managers": list(roles_with(Capability.MANAGE)),
        "raters": list(roles_with(Capability.RATE)),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "notices.sql"), given)
        rows = cursor.fetchall()
    rows += [row for member in by_id.values() for row in [*complete_rounds(member), *pending(member)]]
    levels_lower(read, {(member, key): level for _, member, key, level, *_ in rows})
    found = [
        Notice(
            by_id[member].project.uuid,
            by_id[member].project.name,
            key,
            kind,
            level,
            n,
            number,
            batch,
            at,
            level > read.get((member, key), -1),
        )
        for kind, member, key, level, n, number, batch, at in rows
    ]
    found.sort(key=lambda each: (not each.unread, -(each.at.timestamp() if each.at else 0), each.key))
    return found[:MOST_NOTICES]


Row = tuple[str, int, str, int, int, int | None, str, datetime | None]


def complete_rounds(member: Membership) -> list[Row]:
    """Return the batches of rounds that everybody has finished and that no later step has used yet, to an admin."""
    if not member.may(Capability.MANAGE):
        return []
    batches = list(Batch.objects.filter(project=member.project, kind=Batch.Kind.ROUND, frozen_at=None))
    progress = batches_progress(batches)
    return [
        ("complete", member.pk, f"complete {batch.uuid}", 1, 1, batch.number, batch.kind, batch.opened_at)
        for batch in batches
        if batch.pk in progress and progress[batch.pk].complete
    ]


def pending(member: Membership) -> list[Row]:
    """Return what waits for who resolves disagreements; its level is the number of items."""
    if not member.may(Capability.RESOLVE):
        return []
    work = pending_work(member)
    counts = (work.to_validate, work.to_decide, work.to_agree)
    return [(kind, member.pk, kind, n, n, None, "", None) for kind, n in zip(COUNTED, counts, strict=True) if n > 0]


def levels_lower(read: Mapping[tuple[int, str], int], now: Mapping[tuple[int, str], int]) -> None:
    """Lower the levels of counts that have fallen, so that more items are unread again. Both are by reader and key.

    A count that is not listed now has fallen to 0.
    """
    for (reader, key), level in read.items():
        if key in COUNTED and level > (fallen := now.get((reader, key), 0)):
            NoticeRead.objects.filter(reader=reader, key=key, level__gt=fallen).update(level=fallen)


@transaction.atomic
def notices_read(*, user: User, project: UUID, key: str, level: int) -> None:
    """Store that the person has read a notice up to this level. Raises NotYours for a project that is not theirs."""
    member = Membership.objects.filter(user=user, is_active=True, project__uuid=project).first()
    if member is None:
        raise NotYours
    row, created = NoticeRead.objects.get_or_create(reader=member, key=key, defaults={"level": level})
    if not created and level != row.level:
        row.level = level
        row.save(update_fields=["level"])
