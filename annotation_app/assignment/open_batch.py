"""Count each person's work in their open batch: done, claimed, and still to come."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from annotation_app.cached import Cache
from annotation_app.models import Membership

# Assignments in batches that are not frozen, by person and batch. The projects follow from the people, but naming them
# keeps PostgreSQL from reading the batches of all other projects.
COUNTS = """
SELECT a.annotator_id, i.batch_id,
    count(*) FILTER (WHERE a.state IN ('submitted', 'skipped', 'surplus')),
    count(*) FILTER (WHERE a.state = 'claimed'),
    count(*) FILTER (WHERE a.state = 'open'),
    count(*) FILTER (WHERE a.state = 'withdrawn')
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
WHERE a.annotator_id = ANY(%(members)s) AND b.project_id = ANY(%(projects)s) AND b.frozen_at IS NULL
GROUP BY a.annotator_id, i.batch_id
HAVING bool_or(a.state <> 'withdrawn')
"""

# Open assignments whose item still has a free slot.
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


# One item of a batch is enough to count the annotators: each item has an assignment for every one of them.
FACTS = """
SELECT b.id, b.number, count(i.id),
    (SELECT count(*) FROM annotation_app_assignment a WHERE a.batch_item_id = min(i.id) AND NOT a.added),
    b.annotators_per_item, b.codebook_id, b.second_look_of_id
FROM annotation_app_batch b JOIN annotation_app_batchitem i ON i.batch_id = b.id
WHERE b.id = ANY(%(batches)s)
GROUP BY b.id
"""


@dataclass(frozen=True)
class BatchFacts:
    """Hold what never changes once a batch is open. `annotators` counts everyone it was opened for.

    In a second look each item has its own annotators: no more than `annotators_per_item`, and each has a slot.
    """

    number: int
    size: int
    annotators: int
    annotators_per_item: int
    codebook_id: int
    second_look_of: int | None

    @property
    def k_of_n(self) -> bool:
        """Tell whether items have fewer slots than the batch has annotators, so that people compete for slots."""
        return self.annotators_per_item < self.annotators


batch_facts_cache: Cache[int, BatchFacts] = Cache(10_000)


def batches_facts(batch_ids: Iterable[int]) -> dict[int, BatchFacts]:
    """Return the facts by batch id, with one query for batches that this process has not read yet.

    Items and people are put on a batch when it is opened, and people who take items over later are not counted.
    Cached facts are therefore valid for ever.
    """

    def load(missing: list[int]) -> dict[int, BatchFacts]:
        return {pk: BatchFacts(*facts) for pk, *facts in fetch_rows(FACTS, batches=missing)}

    return batch_facts_cache.read(batch_ids, load)


def batch_facts(batch_id: int) -> BatchFacts:
    return batches_facts([batch_id])[batch_id]


@dataclass(frozen=True)
class OpenWork:
    """Count one person's items in their open batch; `to_come` are items that they could still be given.

    `withdrawn` items were taken back: the batch was closed, somebody else took them over, or the item was left out.
    """

    batch_id: int
    done: int
    claimed: int
    to_come: int
    withdrawn: int

    @property
    def total(self) -> int:
        return self.done + self.claimed + self.to_come

    @property
    def has_work(self) -> bool:
        return self.claimed + self.to_come > 0

    @property
    def batch(self) -> BatchFacts:
        return batch_facts(self.batch_id)


def open_work_by_member(memberships: Iterable[Membership]) -> dict[int, OpenWork]:
    """Return each person's open batch by membership id; people without one are missing.

    A batch is open until it is frozen. A person with several gets the oldest in which there is work, else the newest.
    It takes one query, and one more where people compete for slots.
    """
    people = list(memberships)
    members = [member.pk for member in people]
    counts = fetch_rows(COUNTS, members=members, projects=[member.project_id for member in people])
    found = {(annotator, batch): OpenWork(batch, *numbers) for annotator, batch, *numbers in counts}
    facts = batches_facts(batch for _, batch in found)
    if shared := [batch for batch, its in facts.items() if its.k_of_n]:
        open_rows = fetch_rows(OPEN_WITH_SLOT, members=members, batches=shared)
        left = {(annotator, batch): count for annotator, batch, count in open_rows}
        found |= {key: replace(found[key], to_come=left.get(key, 0)) for key in found if key[1] in shared}
    chosen: dict[int, OpenWork] = {}
    for (annotator, _), standing in sorted(found.items(), key=lambda each: batch_preference(each[1])):
        chosen.setdefault(annotator, standing)
    return chosen


def batch_preference(standing: OpenWork) -> tuple[bool, int]:
    return (False, standing.batch_id) if standing.has_work else (True, -standing.batch_id)


def fetch_rows(statement: str, **values: list[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def open_work(membership: Membership) -> OpenWork | None:
    return open_work_by_member([membership]).get(membership.pk)
