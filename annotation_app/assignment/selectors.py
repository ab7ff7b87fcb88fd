"""What is done, in batches and by people: derived from rows, in a constant number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from annotation_app.assignment.standing import BatchFacts, Standing, standing_of, standings
from annotation_app.models import Assignment, Batch, Membership, Project

# An item needs as many done slots as the batch gives it, or as people are left for it. Skipped counts as done.
PROGRESS = """
SELECT batch_id, count(*), sum(done), sum(needed), sum(surplus), bool_and(done >= needed)
FROM (
    SELECT i.batch_id,
        count(*) FILTER (WHERE a.state IN ('submitted', 'skipped')) AS done,
        count(*) FILTER (WHERE a.state = 'surplus') AS surplus,
        least(b.annotators_per_item, count(*) FILTER (WHERE a.state <> 'withdrawn')) AS needed
    FROM annotation_app_batch b
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id
    WHERE b.id = ANY(%(batches)s)
    GROUP BY b.id, i.id
) AS items
GROUP BY batch_id
"""

# Of rows that nobody has claimed, only those count whose item still has a slot to give.
PEOPLE = """
SELECT i.batch_id, a.annotator_id,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped', 'surplus')),
    count(*) FILTER (WHERE a.state NOT IN ('open', 'withdrawn') OR a.state = 'open' AND b.annotators_per_item > (
        SELECT count(*) FROM annotation_app_assignment taken WHERE taken.batch_item_id = i.id AND taken.slot IS NOT NULL
    ))
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
WHERE b.id = ANY(%(batches)s)
GROUP BY i.batch_id, a.annotator_id
"""


class WindowState(StrEnum):
    """What a person can do now: label, nothing for good, nothing until others are done, or no batch at all."""

    OK = "ok"
    FINISHED = "finished"
    WAITING = "waiting"
    NONE = "none"


@dataclass(frozen=True)
class BatchProgress:
    """`size` counts items; `done` of `total` counts slots. Surplus answers are kept beside them."""

    size: int
    done: int
    total: int
    surplus: int
    complete: bool


@dataclass(frozen=True)
class MemberProgress:
    """One person in their open batch, in items."""

    done: int
    total: int
    batch_number: int | None
    state: WindowState


def batches_progress(batches: Iterable[Batch]) -> dict[int, BatchProgress]:
    """By batch id. Complete: no item has fewer done slots than it needs."""
    return batch_ids_progress([batch.pk for batch in batches])


def batch_progress(batch: Batch) -> BatchProgress:
    return batches_progress([batch])[batch.pk]


def batch_ids_progress(batch_ids: Sequence[int]) -> dict[int, BatchProgress]:
    with connection.cursor() as cursor:
        cursor.execute(PROGRESS, {"batches": list(batch_ids)})
        return {
            batch: BatchProgress(size, int(done), int(total), int(surplus), complete)
            for batch, size, done, total, surplus, complete in cursor.fetchall()
        }


def annotator_progress(batches: Iterable[Batch]) -> dict[tuple[int, int], tuple[int, int]]:
    """(done, total) in items by (batch id, membership id)."""
    with connection.cursor() as cursor:
        cursor.execute(PEOPLE, {"batches": [batch.pk for batch in batches]})
        return {(batch, annotator): (done, total) for batch, annotator, done, total in cursor.fetchall()}


def member_progress(membership: Membership) -> MemberProgress:
    return members_progress([membership])[membership.pk]


def members_progress(memberships: Iterable[Membership]) -> dict[int, MemberProgress]:
    """By membership id, in a constant number of queries whatever their number. Claims nothing."""
    people = list(memberships)
    found = standings(people)
    idle = [standing.batch_id for standing in found.values() if not standing.has_work]
    complete = {batch for batch, progress in batch_ids_progress(idle).items() if progress.complete}
    return {member.pk: progress_of(found.get(member.pk), complete) for member in people}


def progress_of(standing: Standing | None, complete: set[int]) -> MemberProgress:
    """`complete` holds the ids of complete batches; it is asked only where this person has no work left."""
    if standing is None:
        return MemberProgress(0, 0, None, WindowState.NONE)
    if standing.has_work:
        state = WindowState.OK
    else:
        state = WindowState.FINISHED if standing.batch_id in complete else WindowState.WAITING
    return MemberProgress(standing.done, standing.total, standing.batch.number, state)


def assignments_done(membership: Membership) -> QuerySet[Assignment]:
    """The person's own done items of their open batch, in their order, with the current answers at hand."""
    standing = standing_of(membership)
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
SELECT {", ".join(f"m.{column}" for column in MEMBERSHIP)}
FROM annotation_app_assignment a JOIN annotation_app_membership m ON m.id = a.annotator_id
WHERE a.uuid = %s AND m.user_id = %s AND m.is_active
"""


def own_membership(user_id: int | None, assignment_uuid: UUID) -> Membership | None:
    """The live membership under which an assignment is this person's own; None for everything else.

    The first look-up of every request about one assignment, and so without the ORM's price for a join. The project is
    known by its id only.
    """
    with connection.cursor() as cursor:
        cursor.execute(OWNER, [assignment_uuid, user_id])
        row = cursor.fetchone()
    if row is None:
        return None
    membership = Membership.from_db(connection.alias, MEMBERSHIP, row)
    membership.project = Project.from_db(connection.alias, ["id"], [membership.project_id])
    return membership


def assignment_get(membership: Membership, assignment_uuid: UUID) -> Assignment:
    """One of the person's own, with its current annotation and its batch. Raises DoesNotExist."""
    own = Assignment.objects.filter(annotator=membership).select_related("current", "batch_item__batch")
    return own.get(uuid=assignment_uuid)


def claimed_until(row: Assignment, batch: BatchFacts) -> datetime | None:
    """When a claim that is left alone may go to somebody else; None where the item stays this person's."""
    if not batch.k_of_n or row.claimed_at is None or row.state != Assignment.State.CLAIMED:
        return None
    return row.claimed_at + idle_limit()


def idle_limit() -> timedelta:
    return timedelta(seconds=settings.CLAIM_IDLE_SECONDS)
