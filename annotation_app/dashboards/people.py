"""List who works on the open batches, and who may need a reminder, from counts and times alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from annotation_app.assignment.selectors import PersonProgress
from annotation_app.models import Batch, Membership

# Who has open work and finished nothing for so long is called idle.
IDLE_AFTER = timedelta(hours=24)

State = Literal["not_begun", "working", "finished", "left"]


class Opened(Protocol):
    @property
    def row(self) -> Batch: ...
    @property
    def people(self) -> Mapping[int, PersonProgress]: ...


@dataclass(frozen=True)
class Person:
    """Hold somebody on an open batch.

    `progress` has their part of each batch, None where they are not on it. `not_begun` means open work and nothing
    finished in any batch. `since` is when they last finished an item, or when the oldest batch with work for them was
    opened, if that was later. `idle` means open work and a `since` IDLE_AFTER ago.
    """

    member: Membership
    state: State
    idle: bool
    since: datetime | None
    last_done_at: datetime | None
    progress: list[PersonProgress | None]

    @property
    def done(self) -> int:
        return sum(part.done for part in self.progress if part)

    @property
    def total(self) -> int:
        return sum(part.total for part in self.progress if part)


def people_of(members: Sequence[Membership], batches: Sequence[Opened], *, now: datetime) -> list[Person]:
    """Return everyone on one of the batches: idle people first, the longest idle before, then by what is left to do."""
    people = [person_of(member, batches, now) for member in members]
    return sorted((person for person in people if any(person.progress)), key=urgency)


def person_of(member: Membership, batches: Sequence[Opened], now: datetime) -> Person:
    parts = [batch.people.get(member.pk) for batch in batches]
    last = max((part.last_done_at for part in parts if part and part.last_done_at), default=None)
    opened = [
        batch.row.opened_at for batch, part in zip(batches, parts, strict=True) if part and part.done < part.total
    ]
    if not member.is_active or not opened:
        return Person(member, "finished" if member.is_active else "left", False, last, last, parts)
    since = max(filter(None, (last, min(opened))))
    return Person(member, "not_begun" if last is None else "working", now - since >= IDLE_AFTER, since, last, parts)


def urgency(person: Person) -> tuple[int, float, int]:
    place = {"not_begun": 1, "working": 2, "finished": 3, "left": 4}[person.state]
    if person.idle and person.since:
        return 0, person.since.timestamp(), person.member.number
    return place, person.done / person.total if person.total else 1.0, person.member.number
