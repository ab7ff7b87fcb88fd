"""A test set's file, line by line: `{"id", "text", "label"}` as JSON, every fault named with its line."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from annotation_app.ingest.lines import Line, numbered_lines
from annotation_app.ingest.objects import object_of
from annotation_app.ingest.rows import BadLine, Fault, Unreadable, required_id, required_string, required_text

MAX_ITEMS = 100_000
LISTED = 20


@dataclass(frozen=True)
class HeldOutLine:
    """One labelled item; `number` is its line in the file."""

    number: int
    id: str
    text: str
    label: str


class HeldOutFileInvalid(ValueError):
    """What is wrong with the file, by line: the first LISTED faults and how many more there are."""

    def __init__(self, faults: Sequence[str]) -> None:
        more = len(faults) - LISTED
        self.messages = [*faults[:LISTED], *([f"... and {more} more."] if more > 0 else [])]
        super().__init__(" ".join(self.messages))


def held_out_read(stream: BinaryIO, *, labels: Sequence[str], excluded: Collection[str]) -> list[HeldOutLine]:
    """The items in the order of the file. Empty lines and further keys are passed over.

    `labels` are those the model learns, `excluded` those of the stage that it must not. Raises HeldOutFileInvalid.
    """
    items: list[HeldOutLine] = []
    faults: list[str] = []
    seen: dict[str, int] = {}
    for number, found in parsed(stream):
        if isinstance(found, Fault):
            faults.append(f"Line {number}: {named(found)}")
            continue
        item, fault = checked(number, found, labels, excluded, seen)
        faults += [fault] if fault else []
        items += [item] if item else []
    if not items and not faults:
        faults = ['The file is empty: every line holds one {"id", "text", "label"}.']
    if len(items) > MAX_ITEMS:
        faults.append(f"Has {len(items):,} items, at most {MAX_ITEMS:,} are taken: draw a sample of them.")
    if faults:
        raise HeldOutFileInvalid(faults)
    return items


def parsed(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | Fault]]:
    try:
        for line in numbered_lines(stream, "file"):
            if isinstance(line, BadLine):
                yield line.line or 0, Fault(line.field, line.message)
            elif line.data.strip():
                yield line.number, object_or_fault(line)
    except Unreadable as error:
        yield error.bad.line or 0, Fault(None, error.bad.message)


def object_or_fault(line: Line) -> dict[str, Any] | Fault:
    try:
        return object_of(line.data)
    except Fault as fault:
        return fault


def checked(
    number: int, fields: dict[str, Any], labels: Sequence[str], excluded: Collection[str], seen: dict[str, int]
) -> tuple[HeldOutLine | None, str | None]:
    """The item, or the first thing that is wrong with it. `seen` holds the line of every id before."""
    try:
        if type(fields.get("id")) is int:
            fields["id"] = str(fields["id"])
        item = HeldOutLine(
            number, required_id(fields, "id"), required_text(fields, "text"), required_string(fields, "label")
        )
        label_check(item.label, labels, excluded)
        if item.id in seen:
            raise Fault("id", f'"{item.id}" was already given on line {seen[item.id]}: ids must differ.')
    except Fault as fault:
        return None, f"Line {number}: {named(fault)}"
    seen[item.id] = number
    return item, None


def label_check(label: str, labels: Sequence[str], excluded: Collection[str]) -> None:
    use = f"use {', '.join(labels)}"
    if label in excluded:
        raise Fault("label", f'the model does not learn "{label[:64]}", so it cannot be right: leave the line out.')
    if label not in labels:
        raise Fault("label", f'"{label[:64]}" is not a label of this stage: {use}.')


def named(fault: Fault) -> str:
    return f"{fault.field}: {fault.message}" if fault.field else fault.message
