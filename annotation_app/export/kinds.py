"""Register the kinds of export: one writer a file, one line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation_app.export.label_tables import ANSWERS, ITEMS, Cells, Table
from annotation_app.export.lines import json_line, text_line
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.table_files import csv_bytes, xlsx_bytes, xlsx_check
from annotation_app.export.writers import aggregated, annotations, conll, spans, targets, text, webannotation


@dataclass(frozen=True)
class Format:
    """Describe a format of lines. `line` makes one line of the file from a record; `media_type` is UTF-8 text."""

    name: str
    title: str
    media_type: str
    line: Callable[[Any], bytes]


JSONL = Format("jsonl", "JSON Lines", "application/x-ndjson", json_line)
CONLL = Format("conll", "CoNLL", "text/plain", text_line)


@dataclass(frozen=True)
class TableFormat:
    """Turn rows of cells into bytes; refuse more rows below the header than the format holds.

    `is_text` tells whether the bytes are UTF-8, which may begin with a byte order mark.
    """

    title: str
    media_type: str
    write: Callable[[Iterator[Cells]], Iterator[bytes]]
    check: Callable[[int], None] = lambda rows: None
    is_text: bool = True


# Formats of a table, beside JSON Lines.
TABLES = {
    "csv": TableFormat("CSV", "text/csv", csv_bytes),
    "xlsx": TableFormat(
        "Excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        xlsx_bytes,
        xlsx_check,
        is_text=False,
    ),
}
FORMAT_TITLES = {each.name: each.title for each in (JSONL, CONLL)} | {key: each.title for key, each in TABLES.items()}
FORMATS = tuple(FORMAT_TITLES)


Read = Callable[[Snapshot, ExportOptions], tuple[int, Iterator[Any]]]


@dataclass(frozen=True)
class Kind:
    """Describe a kind of export. `read` gives the number of records and the records of one snapshot, a line each.

    `takes` names the fields of `ExportOptions` that it uses, beside the project and `names`. One with a `table` is also
    written in the formats of a table.
    """

    read: Read
    takes: tuple[str, ...]
    format: Format = JSONL
    table: Table | None = None


def counted_separately(
    total: Callable[[Snapshot, ExportOptions], int],
    records: Callable[[Snapshot, ExportOptions], Iterator[dict[str, Any]]],
) -> Read:
    """Join `total` and `records`, for a kind whose lines can be counted without making them."""
    return lambda snapshot, options: (total(snapshot, options), records(snapshot, options))


KINDS = {
    "aggregated": Kind(counted_separately(aggregated.total, aggregated.records), ("phase",), table=ITEMS),
    "annotations": Kind(counted_separately(annotations.total, annotations.records), ("revisions",), table=ANSWERS),
    "spans": Kind(counted_separately(spans.total, spans.records), ("of",)),
    "text": Kind(counted_separately(spans.total, text.records), ("of", "style")),
    "targets": Kind(targets.read, ("of", "style", "random_state")),
    "conll": Kind(conll.read, ("of",), CONLL),
    "webannotation": Kind(counted_separately(webannotation.total, webannotation.records), ("of",)),
}

# Every field of `ExportOptions` that some kinds take and others ignore.
OPTIONS = tuple(dict.fromkeys(name for kind in KINDS.values() for name in kind.takes))


def formats_of(kind: str) -> tuple[str, ...]:
    """Return the formats that a kind can be written in, its default first."""
    return (KINDS[kind].format.name, *(TABLES if KINDS[kind].table else ()))


def takers_words(option: str) -> str:
    """Name the kinds that take an option, for a help text."""
    return ", ".join(name for name, each in KINDS.items() if option in each.takes)


def formats_words() -> str:
    """Say which kind is written in which formats, for a help text."""
    return "; ".join(f"{kind}: {', '.join(formats_of(kind))}" for kind in KINDS)


def ignored_option_text(kind: str, option: str) -> str:
    """Say that the kind ignores `option`, and which kinds take it. An ignored option is refused."""
    takers = takers_words(option)
    return f"Kind {kind} does not take it; {f'these do: {takers}' if takers else 'no kind does'}."
