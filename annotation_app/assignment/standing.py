"""Where people stand in their open batch: what is done, in hand, and still to be had."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db import connection

from annotation_app.models import Assignment, Batch, BatchItem, Membership

# Rows in batches that are not frozen, by person and batch.
COUNTS = """
SELECT a.annotator_id, i.batch_id,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped', 'surplus')),
    count(*) FILTER (WHERE a.state = 'claimed'),
    count(*) FILTER (WHERE a.state = 'open')
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE a.annotator_id = ANY(%(members)s) AND b.frozen_at IS NULL AND a.state <> 'withdrawn'
GROUP BY a.annotator_id, i.batch_id
"""

# Of the open rows, those whose item still has a slot to give.
OPEN_WITH_SLOT = """
SELECT a.annotator_id, i.batch_id, count(*)
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
WHERE b.id = ANY(%(batches)s) AND a.annotator_id = ANY(%(members)s) AND a.state = 'open' AND b.annotators_per_item > (
    SELECT count(*) FROM annotation_app_assignment taken WHERE taken.batch_item_id = i.id AND taken.slot IS NOT NULL
)
GROUP BY a.annotator_id, i.batch_id
"""


@dataclass(frozen=True)
class BatchFacts:
    """What never changes once a batch is open. `annotators` counts everyone who was put on it."""

    number: int
    size: int
    annotators: int
    annotators_per_item: int
    codebook_id: int

    @property
    def k_of_n(self) -> bool:
        """Items go to fewer people than are on the batch, so that slots are competed for."""
        return self.annotators_per_item < self.annotators


@lru_cache(maxsize=256)
def batch_facts(batch_id: int) -> BatchFacts:
    """Read once a process: items and people are put on a batch when it is opened, and never after."""
    batch = Batch.objects.get(pk=batch_id)
    items = BatchItem.objects.filter(batch=batch_id)
    people = Assignment.objects.filter(batch_item__in=items.order_by("pk")[:1]).count()
    return BatchFacts(batch.number, items.count(), people, batch.annotators_per_item, batch.codebook_id)


@dataclass(frozen=True)
class Standing:
    """One person in their open batch, in items; `to_come` is what they could still be given."""

    batch_id: int
    done: int
    claimed: int
    to_come: int

    @property
    def total(self) -> int:
        return self.done + self.claimed + self.to_come

    @property
    def has_work(self) -> bool:
        return self.claimed + self.to_come > 0

    @property
    def batch(self) -> BatchFacts:
        return batch_facts(self.batch_id)


def standings(membership_ids: Iterable[int]) -> dict[int, Standing]:
    """By membership id; people without an open batch are missing. One query, and one more where slots are competed for.

    A batch is open until it is frozen. A person with several is given the oldest in which there is work, and else sees
    the newest.
    """
    members = list(membership_ids)
    found = {
        (annotator, standing.batch_id): standing
        for annotator, *columns in rows_of(COUNTS, members=members)
        for standing in [Standing(*columns)]
    }
    shared = sorted({batch for _, batch in found if batch_facts(batch).k_of_n})
    if shared:
        open_rows = rows_of(OPEN_WITH_SLOT, members=members, batches=shared)
        left = {(annotator, batch): count for annotator, batch, count in open_rows}
        found |= {key: replace(found[key], to_come=left.get(key, 0)) for key in found if key[1] in shared}
    chosen: dict[int, Standing] = {}
    for (annotator, _), standing in sorted(found.items(), key=lambda each: preference(each[1])):
        chosen.setdefault(annotator, standing)
    return chosen


def preference(standing: Standing) -> tuple[bool, int]:
    return (False, standing.batch_id) if standing.has_work else (True, -standing.batch_id)


def rows_of(statement: str, **values: list[int]) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def standing_of(membership: Membership) -> Standing | None:
    return standings([membership.pk]).get(membership.pk)
