"""Count each person's work in their open batch: done, claimed, and still to come."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from annotation_app.assignment.statements import assignment_statement
from annotation_app.cached import Cache
from annotation_app.models import Batch, Membership


@dataclass(frozen=True)
class BatchFacts:
    """Hold what never changes once a batch is open. `annotators` counts those whom each item was opened for.

    In a second look, and where shares were dealt, each item has its own annotators: no more than `annotators_per_item`,
    and each has a slot.
    """

    number: int
    size: int
    annotators: int
    annotators_per_item: int
    codebook_id: int
    second_look_of: int | None
    kind: str

    @property
    def is_practice(self) -> bool:
        return self.kind == Batch.Kind.PRACTICE

    def k_of_n(self, people_added: int) -> bool:
        """Tell whether items have fewer slots than the batch has annotators, so that people compete for slots.

        `people_added` is not a fact: it is read with the row of the batch, under the lock of the person who asks.
        """
        return self.annotators_per_item < self.annotators + people_added


batch_facts_cache: Cache[int, BatchFacts] = Cache(10_000)


def batches_facts(batch_ids: Iterable[int]) -> dict[int, BatchFacts]:
    """Return the facts by batch id, with one query for batches that this process has not read yet.

    Items and people are put on a batch when it is opened, and people who take items over later are not counted.
    Cached facts are therefore valid for ever.
    """

    def load(missing: list[int]) -> dict[int, BatchFacts]:
        return {pk: BatchFacts(*facts) for pk, *facts in fetch_rows("batch_facts", batches=missing)}

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
    # The batch's setting of suggestions in force.
    suggestions_id: int | None
    people_added: int
    priority: int

    @property
    def total(self) -> int:
        return self.done + self.claimed + self.to_come

    @property
    def has_work(self) -> bool:
        return self.claimed + self.to_come > 0

    @property
    def batch(self) -> BatchFacts:
        return batch_facts(self.batch_id)

    @property
    def annotators(self) -> int:
        return self.batch.annotators + self.people_added

    @property
    def k_of_n(self) -> bool:
        return self.batch.k_of_n(self.people_added)


def open_work_by_member(memberships: Iterable[Membership]) -> dict[int, OpenWork]:
    """Return each person's open batch by membership id; people without one are missing.

    A batch is open until it is frozen. A person with several gets that of the first priority in which there is work,
    and of equal ones the oldest; without work the newest. A practice that they have begun goes before all.
    It takes one query, and one more where people compete for slots.
    """
    people = list(memberships)
    members = [member.pk for member in people]
    counts = fetch_rows("open_work", members=members, projects=[member.project_id for member in people])
    found = {(annotator, batch): OpenWork(batch, *numbers) for annotator, batch, *numbers in counts}
    batches_facts(batch for _, batch in found)
    if shared := sorted({batch for (_, batch), standing in found.items() if standing.k_of_n}):
        open_rows = fetch_rows("open_with_slot", members=members, batches=shared)
        left = {(annotator, batch): count for annotator, batch, count in open_rows}
        found |= {key: replace(found[key], to_come=left.get(key, 0)) for key in found if key[1] in shared}
    chosen: dict[int, OpenWork] = {}
    for (annotator, _), standing in sorted(found.items(), key=lambda each: batch_preference(each[1])):
        chosen.setdefault(annotator, standing)
    return chosen


def batch_preference(standing: OpenWork) -> tuple[bool, bool, int, int]:
    if standing.has_work:
        return False, not standing.batch.is_practice, standing.priority, standing.batch_id
    return True, True, 0, -standing.batch_id


def fetch_rows(name: str, **values: list[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(assignment_statement(name), values)
        return list(cursor.fetchall())


def open_work(membership: Membership) -> OpenWork | None:
    return open_work_by_member([membership]).get(membership.pk)
