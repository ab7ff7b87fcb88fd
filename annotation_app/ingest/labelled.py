"""Read labelled texts from any format of rows, for test sets and simulations."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from annotation_app.ingest.formats import FORMATS, format_of, read_rows
from annotation_app.ingest.mapped import listed
from annotation_app.ingest.mapping import plain_name
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import Source

LABEL = "label"
LISTED = 20


class LabelledRow(NamedTuple):
    """Hold a row with its label as the file has it, or None. `beside` is the rest of its meta."""

    row: ImportRow
    label: Any
    beside: dict[str, Any]


def labelled_rows(source: Source) -> Iterator[LabelledRow | BadLine]:
    """Yield the rows of a file, and its bad lines. Raises Unreadable where there are no labels, or nothing is read."""
    format_found = format_of(source, "auto")
    if FORMATS[format_found].has_own_fields:
        *others, last = (each.title for each in FORMATS.values() if not each.has_own_fields)
        message = f"A {FORMATS[format_found].title} has no labels: give a file in {', '.join(others)} or {last}."
        raise Unreadable(source.fault(message))
    for row in read_rows(source, format_found):
        if isinstance(row, BadLine):
            yield row
            continue
        if not any(plain_name(column) == LABEL for column in source.columns):
            found = f"Columns found: {listed(source.columns)}"
            message = f"Missing column 'label'. {found}; name the one with the labels `label`."
            raise Unreadable(BadLine(source.name, None, LABEL, message))
        beside = dict(row.meta)
        name = LABEL if LABEL in beside else next((each for each in beside if plain_name(each) == LABEL), LABEL)
        yield LabelledRow(row, beside.pop(name, None), beside)


def fault_words(line: int | None, field: str | None, message: str) -> str:
    """Say what is wrong, with its place in the file."""
    named = f"{field}: {message}" if field else message
    return named if line is None else f"Line {line}: {named}"


def bad_words(bad: BadLine) -> str:
    return fault_words(bad.line, bad.field, bad.message)


def faults_listed(faults: Sequence[str]) -> list[str]:
    """Return the first LISTED faults, and how many more there are."""
    more = len(faults) - LISTED
    return [*faults[:LISTED], *([f"... and {more} more."] if more > 0 else [])]
