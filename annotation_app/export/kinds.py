"""The kinds of export: one writer a file, named here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.label_tables import ROWS, Cells
from annotation_app.export.lines import json_line, text_line
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.table_files import csv_bytes, xlsx_bytes, xlsx_check
from annotation_app.export.writers import aggregated, annotations, conll, spans, targets, text, webannotation


@dataclass(frozen=True)
class Format:
    """`line` makes one line of the file from a record; `media_type` is UTF-8 text."""

    name: str
    media_type: str
    line: Callable[[Any], bytes]


JSONL = Format("jsonl", "application/x-ndjson", json_line)
CONLL = Format("conll", "text/plain", text_line)


@dataclass(frozen=True)
class TableFormat:
    """Turn rows of cells into bytes; refuse more rows below the header than the format holds."""

    media_type: str
    write: Callable[[Iterator[Cells]], Iterator[bytes]]
    check: Callable[[int], None] = lambda rows: None


# Formats of a table, beside JSON Lines.
TABLES = {
    "csv": TableFormat("text/csv", csv_bytes),
    "xlsx": TableFormat("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx_bytes, xlsx_check),
}
FORMATS = (JSONL.name, CONLL.name, *TABLES)


Read = Callable[[Snapshot, Asked], tuple[int, Iterator[Any]]]


@dataclass(frozen=True)
class Kind:
    """`read` gives how many records there are, and the records, of one snapshot; each is a line.

    `takes` names the options of `Asked` that it heeds, beside the project and `names`.
    """

    read: Read
    takes: tuple[str, ...]
    format: Format = JSONL


def apart(
    total: Callable[[Snapshot, Asked], int], records: Callable[[Snapshot, Asked], Iterator[dict[str, Any]]]
) -> Read:
    """For a kind whose lines can be counted without being made."""
    return lambda snapshot, asked: (total(snapshot, asked), records(snapshot, asked))


KINDS = {
    "aggregated": Kind(apart(aggregated.total, aggregated.records), ("phase",)),
    "annotations": Kind(apart(annotations.total, annotations.records), ("revisions",)),
    "spans": Kind(apart(spans.total, spans.records), ("of",)),
    "text": Kind(apart(spans.total, text.records), ("of", "style")),
    "targets": Kind(targets.read, ("of", "style", "random_state")),
    "conll": Kind(conll.read, ("of",), CONLL),
    "webannotation": Kind(apart(webannotation.total, webannotation.records), ("of",)),
}

# Every option of `Asked` that some kinds take and others do not.
OPTIONS = tuple(dict.fromkeys(name for kind in KINDS.values() for name in kind.takes))


def formats_of(kind: str) -> tuple[str, ...]:
    """The formats that a kind is written in, its usual one first."""
    return (KINDS[kind].format.name, *(TABLES if kind in ROWS else ()))


def unheeded_words(kind: str, option: str) -> str:
    """Why `option` is refused where the file would be the same without it, and which kinds take it, if any do."""
    takers = ", ".join(name for name, each in KINDS.items() if option in each.takes)
    return f"Kind {kind} does not take it; {f'these do: {takers}' if takers else 'no kind does'}."
