"""Read a test set's file of ids, texts and labels as JSONL, JSON or CSV, and name every fault with its line."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from al_worker.formats.heads import SEVERAL, set_text
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.ingest.labelled import LabelledRow, bad_words, fault_words, faults_listed, labelled_rows
from annotation_app.ingest.rows import BadLine, Fault, Unreadable, kind, number_text
from annotation_app.ingest.source import Source

MAX_ITEMS = 100_000


@dataclass(frozen=True)
class HeldOutLine:
    """Hold one labelled item; `number` is its line in the file."""

    number: int
    id: str
    text: str
    label: str


class HeldOutFileInvalid(ValueError):
    """What is wrong with the file, by line: the first faults and how many more there are."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.messages = faults_listed(faults)
        super().__init__(" ".join(self.messages))


def held_out_read(
    stream: BinaryIO, *, stage: Stage, labels: Sequence[str], excluded: Collection[str]
) -> list[HeldOutLine]:
    """Return the items in the order of the file.

    Empty lines and further keys are ignored. `labels` are those of the stage that the model learns, `excluded` those
    that it must not. Raises HeldOutFileInvalid.
    """
    items: list[HeldOutLine] = []
    faults: list[str] = []
    seen: dict[str, int] = {}
    try:
        for found in labelled_rows(Source("file", file=stream)):
            if isinstance(found, BadLine):
                faults.append(bad_words(found))
                continue
            item, fault = checked(found, stage, labels, excluded, seen)
            faults += [fault] if fault else []
            items += [item] if item else []
    except Unreadable as error:
        faults.append(bad_words(error.bad))
    if not items and not faults:
        faults = ["There is no item in the file: every row holds id, text and label."]
    if len(items) > MAX_ITEMS:
        faults.append(f"Has {len(items):,} items, at most {MAX_ITEMS:,} are taken: draw a sample of them.")
    if faults:
        raise HeldOutFileInvalid(faults)
    return items


def checked(
    found: LabelledRow, stage: Stage, labels: Sequence[str], excluded: Collection[str], seen: dict[str, int]
) -> tuple[HeldOutLine | None, str | None]:
    """Return the item, or its first fault. `seen` holds the line of every id before."""
    row = found.row
    try:
        item = HeldOutLine(row.line, row.id, row.text, label_of(found.label, stage))
        for label in stage.labels_of(item.label):
            label_check(label, labels, excluded)
        if stage.learned_as == SEVERAL and (wrong := stage.answer_fault(item.label)):
            raise Fault("label", wrong)
        if item.id in seen:
            raise Fault("id", f'"{item.id}" was already given on line {seen[item.id]}: ids must differ.')
    except Fault as fault:
        return None, fault_words(row.line, fault.field, fault.message)
    seen[item.id] = row.line
    return item, None


def label_of(value: object, stage: Stage) -> str:
    """Return the label; a number counts as the text that it is written as, and a list of texts is a set of labels."""
    if stage.learned_as == SEVERAL and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return set_text(value)
    label = number_text(value)
    if label is None:
        raise Fault("label", "Missing field.")
    if type(label) is not str:
        raise Fault("label", f"Must be a string, not {kind(label)}.")
    return label


def label_check(label: str, labels: Sequence[str], excluded: Collection[str]) -> None:
    use = f"use {', '.join(labels)}"
    if label in excluded:
        raise Fault("label", f'the model does not learn "{label[:64]}", so it cannot be right: leave the line out.')
    if label not in labels:
        raise Fault("label", f'"{label[:64]}" is not a label of this stage: {use}.')
