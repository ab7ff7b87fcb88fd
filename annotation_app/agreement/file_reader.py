"""Read answers from another tool: a table, row by row in constant memory, with what is wrong in it."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from al_worker.formats.missing import Missing
from annotation_app.ingest.delimited import Lines, Malformed, table_of
from annotation_app.ingest.file_kinds import EXCEL, foreign, foreign_archive
from annotation_app.ingest.formats import START
from annotation_app.ingest.lines import check_decoded
from annotation_app.ingest.mapped import listed
from annotation_app.ingest.rows import Fault, Unreadable
from annotation_app.ingest.source import ZIP_MAGIC, ReadingOptions, Source

REQUIRED = ("item", "annotator", "stage", "label")
COLUMNS = (*REQUIRED, "round")
SHOWN = 20
MAX_CHARACTERS = 1_000_000
STANDARD_INPUT = "-"
# Standard input may take this many bytes of memory before it is written to a file.
SPOOLED = 8 * 1024**2


class FileInvalid(Exception):
    """A file that cannot be used. The message has a line for each fault: `file:line: fault, and the remedy`."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class FileAnswer:
    """One row of the file. `line` is the first of the row's lines in the file, from 1.

    `round` is empty where there is no such column.
    """

    line: int
    item: str
    annotator: str
    stage: str
    label: str
    round: str


@contextmanager
def file_opened(named: str, manner: ReadingOptions | None = None) -> Iterator[tuple[str, Source]]:
    """Open a file, and yield the name that messages give it and its source. `-` is standard input.

    Raises FileInvalid and OSError.
    """
    if named != STANDARD_INPUT:
        with open(named, "rb") as file:
            yield named, Source(named, file=file, manner=manner)
        return
    given = getattr(sys.stdin, "buffer", None)
    if given is None:
        raise FileInvalid(["There is no standard input: name a file."])
    # A file is needed because the beginning is read twice: the first time to find the encoding.
    with tempfile.SpooledTemporaryFile(SPOOLED) as spooled:
        shutil.copyfileobj(given, spooled)
        yield "standard input", Source("standard input", file=cast(BinaryIO, spooled), manner=manner)


def file_answers(name: str, source: Source, missing: Missing) -> Iterator[FileAnswer]:
    """Yield the rows of the file, except blank lines and rows whose label is missing.

    Raises FileInvalid at the end, for all bad rows together.
    """
    try:
        yield from answers(name, source, missing)
    except Unreadable as error:
        line = "" if error.bad.line is None else f":{error.bad.line}"
        raise FileInvalid([f"{name}{line}: {error.bad.message}"]) from None


def answers(name: str, source: Source, missing: Missing) -> Iterator[FileAnswer]:
    """Yield the rows as `file_answers` does. Raises Unreadable or FileInvalid."""
    start = source.start(START)
    message = (foreign_archive(source.file) or EXCEL) if start.startswith(ZIP_MAGIC) else foreign(start)
    if message:
        raise Unreadable(source.fault(message))
    table = table_of(Lines(source.text(), name, MAX_CHARACTERS), known=REQUIRED, delimiter=source.manner.delimiter)
    names = header_names(name, table.line, table.header)
    errors: list[str] = []
    n_errors = n_rows = 0
    for line, cells in table.records:
        if isinstance(cells, Malformed):
            raise FileInvalid([f"{name}:{line}: {cells.message}"])
        n_rows += 1
        if fault := fault_of(names, cells, source.encoding_name, may_be_blank="" in missing.marks):
            n_errors += 1
            errors += [f"{name}:{line}: {fault}"] if len(errors) < SHOWN else []
        elif not n_errors:
            found = dict(zip(names, (cell.strip() for cell in cells), strict=False))
            if not missing.takes(line, found["label"]):
                yield FileAnswer(line=line, **{column: found.get(column, "") for column in COLUMNS})
    if n_errors > SHOWN:
        errors.append(f"... and {n_errors - SHOWN:,} lines more.")
    if not n_rows:
        errors = [f"{name}: there is no answer below the header. Write one line for each item, annotator and stage."]
    elif n_rows == missing.found.total():
        errors = [f"{name}: every label is a mark for missing. {' '.join(missing.notices)}"]
    if errors:
        raise FileInvalid(errors)


def header_names(file: str, line: int, cells: Sequence[str]) -> list[str]:
    """Return the names of the columns in lower case.

    Raises FileInvalid for a missing column or one that stands twice.
    """
    names = [cell.lower() for cell in cells]
    if missing := [name for name in REQUIRED if name not in names]:
        mend = f"Name the columns {', '.join(REQUIRED)}; found: {listed(cells)}."
        raise FileInvalid([f"{file}:{line}: no column {' or '.join(missing)}. {mend}"])
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        raise FileInvalid([f"{file}:{line}: the column {twice[0]} stands there twice. Leave one out."])
    return names


def fault_of(names: Sequence[str], cells: Sequence[str], encoding: str, *, may_be_blank: bool) -> str | None:
    """Return what is wrong with a row, or None."""
    if len(cells) < len(names) or any(cell.strip() for cell in cells[len(names) :]):
        return (
            f"{len(cells)} cells under a header of {len(names)}. Put cells that hold the delimiter in quotation marks."
        )
    for name, cell in zip(names, cells, strict=False):
        if name in COLUMNS and not cell.strip() and not (name == "label" and may_be_blank):
            return f"the cell {name} is empty. Fill it, or leave the line out if there is no answer."
        if "\0" in cell:
            return f"the cell {name} holds a NUL character. Remove it."
        try:
            check_decoded(cell, encoding)
        except Fault as fault:
            return f"the cell {name}: {fault.message.replace('of the line', 'of the cell')}"
    return None
