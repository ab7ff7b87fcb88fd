"""Check one step of work on a factoid list. Pure: no I/O."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotation_app.codebook.texts import words_fault
from annotation_app.factoids.states import FactoidState

WORK = ("new", "describe", "link", "unlink", "split", "merge", "renumber", "delete", "absent", "decide")
KINDS = (*WORK, "undo", "redo")
# An admin brought the list from a file. No browser sends this kind.
IMPORT = "import"
ID_LENGTH = 100
DESCRIPTION_LENGTH = 10_000
NOTE_LENGTH = 10_000

Errors = dict[str, list[str]]
# Whether the factoid is in the text; None where nobody said so.
Answer = bool | None


@dataclass(frozen=True)
class Change:
    """Hold what a factoid becomes; `after` is None where it is deleted."""

    key: UUID
    after: FactoidState | None


@dataclass(frozen=True)
class Decision:
    """Hold the answer to an item; `is_there` is None where the item is opened again."""

    id: UUID
    is_there: bool | None
    note: str


@dataclass(frozen=True)
class Step:
    """Hold one step as a browser sent it. `base_revision` is the list's revision that its author saw."""

    client_id: UUID
    base_revision: int
    kind: str
    changes: Sequence[Change]
    item: Decision | None = None

    @property
    def body_hash(self) -> str:
        """Return the SHA-256 of everything sent: the same client_id with the same hash is a retry."""
        sent = {
            "base_revision": self.base_revision,
            "kind": self.kind,
            "changes": [[str(each.key), each.after and each.after.written()] for each in self.changes],
            "item": self.item and [str(self.item.id), self.item.is_there, self.item.note],
        }
        return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Cell:
    """Name a factoid in a text."""

    key: UUID
    text: str


@dataclass(frozen=True)
class Surroundings:
    """Hold what a step is checked against.

    `before` are the factoids that it changes, `taken` the ids of the list's others. `text_of` maps the sentences that
    it names to their texts, as far as they are known; `texts` are those of the list. `item` is the cell that the step
    decides. Of a fixed list only links and absences change. Of a list of items they only change at the item.
    """

    before: Mapping[UUID, FactoidState]
    taken: Collection[str]
    text_of: Mapping[str, str]
    texts: Collection[str]
    item: Cell | None
    is_fixed: bool
    takes_absent: bool
    has_items: bool


def step_errors(step: Step, given: Surroundings) -> Errors:
    """Return every fault of a step by its field; empty where the step can be stored."""
    found: Errors = {}
    for path, fault in step_faults(step, given):
        found.setdefault(path, []).append(fault)
    return found


def step_faults(step: Step, given: Surroundings) -> Iterator[tuple[str, str]]:
    if not step.changes and step.item is None:
        yield "changes", "Name what changes: at least one factoid."
    seen: set[UUID] = set()
    ids: dict[str, int] = {}
    for number, change in enumerate(step.changes):
        place = f"changes[{number}]"
        if change.key in seen:
            yield f"{place}.key", "This factoid stands twice in one step: send its last form only."
        seen.add(change.key)
        yield from change_faults(place, change, given)
        if change.after is None:
            continue
        if change.after.id in given.taken or change.after.id in ids:
            yield f"{place}.after.id", f"{change.after.id} is the id of another factoid of this list: choose another."
        ids[change.after.id] = number
    yield from item_faults(step, given)


def change_faults(place: str, change: Change, given: Surroundings) -> Iterator[tuple[str, str]]:
    before, after = given.before.get(change.key), change.after
    if given.is_fixed and (before is None or after is None):
        yield f"{place}.key", "The factoids of this list are given: none is added or deleted here."
    elif after is None and before is None:
        yield f"{place}.key", "There is no such factoid in this list."
    if after is None:
        return
    for field, text, limit in (("id", after.id, ID_LENGTH), ("description", after.description, DESCRIPTION_LENGTH)):
        if fault := words_fault(text, limit):
            yield f"{place}.after.{field}", fault
        elif given.is_fixed and before is not None and text != getattr(before, field):
            yield f"{place}.after.{field}", "The ids and descriptions of this list are given, and stay as they are."
    if not after.id.strip():
        yield f"{place}.after.id", "Give the factoid an id."
    yield from link_faults(f"{place}.after", after, given)


def link_faults(place: str, after: FactoidState, given: Surroundings) -> Iterator[tuple[str, str]]:
    for field, names, known, what in (
        ("sentences", after.sentences, given.text_of, "sentence"),
        ("absent", after.absent, given.texts, "text"),
    ):
        if strange := [name for name in dict.fromkeys(names) if name not in known]:
            yield f"{place}.{field}", f"{shown(strange[0])} is no {what} of this list's texts."
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            yield f"{place}.{field}", f"{shown(twice[0])} stands twice: send it once."
    if after.absent and not given.takes_absent:
        yield f"{place}.absent", "Only an annotation of a given list says where a factoid is not: send an empty list."
    if both := {given.text_of.get(name) for name in after.sentences} & set(after.absent):
        yield f"{place}.absent", f"{sorted(filter(None, both))[0]} has a linked sentence, so the factoid is there."


def item_faults(step: Step, given: Surroundings) -> Iterator[tuple[str, str]]:
    """Yield faults of the decided item, and of changes to other items."""
    if step.item is not None:
        if fault := words_fault(step.item.note, NOTE_LENGTH):
            yield "item.note", fault
        if given.item is None:
            yield "item.id", "There is no such item in this list."
    if not given.has_items:
        return
    changed = {change.key: change.after for change in step.changes}
    for number, change in enumerate(step.changes):
        before = given.before.get(change.key)
        if before is None or change.after is None:
            continue
        old, new = (answers(state, given.text_of) for state in (before, change.after))
        for text in sorted({text for text in old.keys() | new.keys() if old.get(text) != new.get(text)}):
            if given.item != Cell(change.key, text):
                yield (
                    f"changes[{number}].after",
                    f"Only the item that a step decides may change; {change.after.id} in {text} is not that item.",
                )
    if step.item is None or given.item is None or step.item.is_there is None:
        return
    state = changed.get(given.item.key) or given.before.get(given.item.key)
    answer = answers(state, given.text_of).get(given.item.text) if state else None
    if answer != (step.item.is_there if given.takes_absent or step.item.is_there else None):
        link = "link a sentence of" if step.item.is_there else "link no sentence of"
        mend = ", and name it as absent" if given.takes_absent and not step.item.is_there else ""
        yield "item.is_there", f"The answer and the factoid differ: {link} {given.item.text}{mend}."


def answers(state: FactoidState, text_of: Mapping[str, str]) -> dict[str, bool]:
    """Return what a factoid's author said of texts; those without an answer are left out."""
    there = {text_of[name]: True for name in state.sentences if name in text_of}
    return dict.fromkeys(state.absent, False) | there


def shown(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"


def changes_written(before: Mapping[UUID, FactoidState], changes: Iterable[Change]) -> list[dict[str, Any]]:
    """Return changes as a revision stores them."""
    return [
        {
            "key": str(change.key),
            "before": before[change.key].written() if change.key in before else None,
            "after": change.after and change.after.written(),
        }
        for change in changes
    ]
