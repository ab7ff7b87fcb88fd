"""Where people stand in their open batch: what is done, in hand, and still to be had."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from annotation_app.models import Membership

# Rows in batches that are not frozen, by person and batch. The projects follow from the people; named, they keep the
# batches of all other projects from being read.
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


# One of a batch's items stands for all: each has a row for everyone whom the batch was opened for.
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
    """What never changes once a batch is open. `annotators` counts everyone it was opened for.

    In a second look each item has its own people: no more than `annotators_per_item`, and each has a seat.
    """

    number: int
    size: int
    annotators: int
    annotators_per_item: int
    codebook_id: int
    second_look_of: int | None

    @property
    def k_of_n(self) -> bool:
        """Items go to fewer people than are on the batch, so that slots are competed for."""
        return self.annotators_per_item < self.annotators


remembered: dict[int, BatchFacts] = {}


def batches_facts(batch_ids: Iterable[int]) -> dict[int, BatchFacts]:
    """By batch id; one query for those that this process has not read yet.

    Items and people are put on a batch when it is opened; whoever takes somebody's items over later is not counted, so
    that one reading serves for good.
    """
    ids = set(batch_ids)
    if missing := [pk for pk in ids if pk not in remembered]:
        remembered.update({pk: BatchFacts(*facts) for pk, *facts in rows_of(FACTS, batches=missing)})
    return {pk: remembered[pk] for pk in ids}


def batch_facts(batch_id: int) -> BatchFacts:
    return batches_facts([batch_id])[batch_id]


@dataclass(frozen=True)
class Standing:
    """One person in their open batch, in items; `to_come` is what they could still be given.

    `withdrawn` was taken back from them: the batch was closed, somebody else took it over, or the item was left out.
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


def standings(memberships: Iterable[Membership]) -> dict[int, Standing]:
    """By membership id; people without an open batch are missing. One query, and one more where slots are competed for.

    A batch is open until it is frozen. A person with several is given the oldest in which there is work, and else sees
    the newest.
    """
    people = list(memberships)
    members = [member.pk for member in people]
    counts = rows_of(COUNTS, members=members, projects=[member.project_id for member in people])
    found = {(annotator, batch): Standing(batch, *numbers) for annotator, batch, *numbers in counts}
    facts = batches_facts(batch for _, batch in found)
    if shared := [batch for batch, its in facts.items() if its.k_of_n]:
        open_rows = rows_of(OPEN_WITH_SLOT, members=members, batches=shared)
        left = {(annotator, batch): count for annotator, batch, count in open_rows}
        found |= {key: replace(found[key], to_come=left.get(key, 0)) for key in found if key[1] in shared}
    chosen: dict[int, Standing] = {}
    for (annotator, _), standing in sorted(found.items(), key=lambda each: preference(each[1])):
        chosen.setdefault(annotator, standing)
    return chosen


def preference(standing: Standing) -> tuple[bool, int]:
    return (False, standing.batch_id) if standing.has_work else (True, -standing.batch_id)


def rows_of(statement: str, **values: list[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def standing_of(membership: Membership) -> Standing | None:
    return standings([membership]).get(membership.pk)
