"""Read the progress of batches and people, derived from rows in a constant number of queries."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from annotation_app.assignment.open_batch import OpenWork, open_work, open_work_by_member
from annotation_app.assignment.statements import assignment_statement
from annotation_app.cached import Cache
from annotation_app.models import Assignment, Batch, Membership, Project

T = TypeVar("T")


class WindowState(StrEnum):
    """Name what a person can do now: label, nothing for good, nothing until others are done, or no batch at all."""

    OK = "ok"
    FINISHED = "finished"
    WAITING = "waiting"
    NONE = "none"


@dataclass(frozen=True)
class BatchProgress:
    """Hold a batch's progress.

    `size` counts items without the `checks`, `done` of `total` counts slots; surplus answers are counted apart.
    """

    size: int
    done: int
    total: int
    surplus: int
    complete: bool
    checks: int = 0


@dataclass(frozen=True)
class PersonProgress:
    """Count one person's items in one batch: `skipped` of `done`, and `total` with what they could still be given."""

    done: int
    skipped: int
    total: int
    last_done_at: datetime | None


@dataclass(frozen=True)
class MemberProgress:
    """Count one person's items in their open batch; `withdrawn` ones are not in the total."""

    done: int
    total: int
    withdrawn: int
    batch_number: int | None
    state: WindowState


# By batch id and state. The state of an open batch is that of its project's log. A frozen batch changes no assignment,
# so its state is `frozen_at`: a cancelled round resets that.
CachedByBatch = Cache[tuple[int, Any], T]
batch_progress_cache: CachedByBatch[BatchProgress] = Cache(1_000)
people_progress_cache: CachedByBatch[dict[int, PersonProgress]] = Cache(1_000)

# Every change of an assignment writes the log in the same transaction. Ids are given before the commit, so the lower
# of two concurrent ids may become visible later: the newest id alone would miss it.
LOG_STATE = """
SELECT count(*), coalesce(max(id), 0), coalesce(sum(id), 0)
FROM (SELECT id FROM annotation_app_event WHERE project_id = %s ORDER BY id DESC LIMIT 1000) AS newest
"""


def batches_progress(batches: Iterable[Batch]) -> dict[int, BatchProgress]:
    """Return the progress by batch id. A batch is complete when every item has the done slots that it needs."""
    return cached_by_batch(batch_progress_cache, list(batches), batch_ids_progress)


def batch_progress(batch: Batch) -> BatchProgress:
    return batches_progress([batch])[batch.pk]


def batch_ids_progress(batch_ids: Sequence[int]) -> dict[int, BatchProgress]:
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("batches_progress"), {"batches": list(batch_ids)})
        return {
            batch: BatchProgress(size, int(done), int(total), int(surplus), complete, checks)
            for batch, size, done, total, surplus, complete, checks in cursor.fetchall()
        }


def items_progress(batch_item_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return (done slots, needed slots) by batch item id."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT batch_item, done, needed FROM rules.item_progress WHERE batch_item = ANY(%s)",
            [list(batch_item_ids)],
        )
        return {batch_item: (done, needed) for batch_item, done, needed in cursor.fetchall()}


def cached_by_batch(
    cache: CachedByBatch[T], batches: Sequence[Batch], read: Callable[[list[int]], dict[int, T]]
) -> dict[int, T]:
    """Return what `read` gives by batch id, cached in this process until a batch may have changed.

    Inside a transaction nothing is cached, because what is seen there may be rolled back.
    """
    if connection.in_atomic_block:
        return read([batch.pk for batch in batches]) if batches else {}
    states = batch_states(batches)

    def load(keys: list[tuple[int, Any]]) -> dict[tuple[int, Any], T]:
        return {(pk, states[pk]): value for pk, value in read([pk for pk, _ in keys]).items()}

    return {pk: value for (pk, _), value in cache.read(states.items(), load).items()}


def batch_states(batches: Sequence[Batch]) -> dict[int, Any]:
    """Return a state by batch id that changes whenever the batch may have changed. It takes one query a project."""
    logs = {project: log_state(project) for project in {each.project_id for each in batches if not each.frozen_at}}
    return {batch.pk: batch.frozen_at or logs[batch.project_id] for batch in batches}


def log_state(project_id: int) -> tuple[int, ...]:
    with connection.cursor() as cursor:
        cursor.execute(LOG_STATE, [project_id])
        return tuple(map(int, cursor.fetchone()))


def people_progress(batches: Iterable[Batch]) -> dict[int, dict[int, PersonProgress]]:
    """Return the progress by batch id and membership id of everyone who was ever put on the batch."""
    return cached_by_batch(people_progress_cache, list(batches), batch_ids_people)


def batch_ids_people(batch_ids: Sequence[int]) -> dict[int, dict[int, PersonProgress]]:
    found: dict[int, dict[int, PersonProgress]] = {}
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement("people_progress"), {"batches": list(batch_ids)})
        for batch, annotator, *numbers in cursor.fetchall():
            found.setdefault(batch, {})[annotator] = PersonProgress(*numbers)
    return found


def annotator_progress(batches: Iterable[Batch]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return (done, total) in items by (batch id, membership id)."""
    return {
        (batch, annotator): (their.done, their.total)
        for batch, people in people_progress(batches).items()
        for annotator, their in people.items()
    }


def members_progress(memberships: Iterable[Membership]) -> dict[int, MemberProgress]:
    """Return the progress by membership id, in a constant number of queries. Nothing is claimed."""
    people = list(memberships)
    found = open_work_by_member(people)
    idle = [standing.batch_id for standing in found.values() if not standing.has_work]
    complete = {batch for batch, progress in batch_ids_progress(idle).items() if progress.complete}
    return {member.pk: progress_of(found.get(member.pk), complete) for member in people}


def progress_of(standing: OpenWork | None, complete: set[int]) -> MemberProgress:
    """Translate open work. `complete` holds ids of complete batches; it only matters where no work is left."""
    if standing is None:
        return MemberProgress(0, 0, 0, None, WindowState.NONE)
    if standing.has_work:
        state = WindowState.OK
    else:
        state = WindowState.FINISHED if standing.batch_id in complete else WindowState.WAITING
    return MemberProgress(standing.done, standing.total, standing.withdrawn, standing.batch.number, state)


def assignments_done(membership: Membership) -> QuerySet[Assignment]:
    """Return the person's done assignments of their open batch, in their order, with the current answers loaded."""
    standing = open_work(membership)
    if standing is None:
        return Assignment.objects.none()
    return (
        Assignment.objects.filter(
            annotator=membership,
            batch_item__batch=standing.batch_id,
            state__in=(*Assignment.DONE_STATES, Assignment.State.SURPLUS),
        )
        .select_related("batch_item__item", "batch_item__batch")
        .prefetch_related("current__answers")
        .order_by("position")
    )


MEMBERSHIP = [str(field.attname) for field in Membership._meta.concrete_fields]
OWNER = f"""
SELECT {", ".join(f"m.{column}" for column in MEMBERSHIP)}, p.archived_at, p.shown_columns
FROM annotation_app_assignment a
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_project p ON p.id = m.project_id
WHERE a.uuid = %s AND m.user_id = %s AND m.is_active
"""


def own_membership(user_id: int | None, assignment_uuid: UUID) -> Membership | None:
    """Return the active membership that owns the assignment, if it is this user's; else None.

    Every request about one assignment begins with this look-up, so it avoids the ORM's cost of a join. The project
    is loaded with three fields only: its id, `archived_at` and `shown_columns`.
    """
    with connection.cursor() as cursor:
        cursor.execute(OWNER, [assignment_uuid, user_id])
        row = cursor.fetchone()
    if row is None:
        return None
    *columns, archived_at, shown_columns = row
    membership = Membership.from_db(connection.alias, MEMBERSHIP, columns)
    # In the order of the model's fields, which `from_db` wants.
    known = {"id": membership.project_id, "shown_columns": shown_columns, "archived_at": archived_at}
    membership.project = Project.from_db(connection.alias, list(known), list(known.values()))
    return membership


def assignment_get(membership: Membership, assignment_uuid: UUID) -> Assignment:
    """Return one of the person's assignments with its current annotation and batch. Raises DoesNotExist."""
    own = Assignment.objects.filter(annotator=membership).select_related("current", "batch_item__batch")
    return own.get(uuid=assignment_uuid)


def claimed_until(row: Assignment, *, k_of_n: bool) -> datetime | None:
    """Return when an idle claim may go to somebody else; None where the item stays this person's."""
    if not k_of_n or row.claimed_at is None or row.state != Assignment.State.CLAIMED:
        return None
    return row.claimed_at + idle_limit()


def idle_limit() -> timedelta:
    return timedelta(seconds=settings.CLAIM_IDLE_SECONDS)
