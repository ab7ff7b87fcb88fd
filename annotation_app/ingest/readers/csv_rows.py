"""CSV, plain or as .gz, UTF-8 with or without a byte order mark: the header names the columns.

Fields are those of JSONL. Cells may hold quoted commas, quotes and line breaks. Where the header is cut by
semicolons or tabs, the rows are too.
"""

import csv
from collections.abc import Iterator
from itertools import chain
from typing import Any

from annotation_app.ingest.lines import MAX_LINE_BYTES, numbered_lines
from annotation_app.ingest.rows import UNPAIRED, BadLine, Fault, Row, Unreadable, known_id, row_of
from annotation_app.ingest.source import Source
from annotation_app.ingest.stand_off import STAND_OFF

DELIMITERS = ",;\t"
REQUIRED = ("id", "text")


def read_csv(source: Source) -> Iterator[Row | BadLine]:
    """A record of several lines is reported with its first one."""
    csv.field_size_limit(MAX_LINE_BYTES)
    lines = text_lines(source)
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=delimiter_of(first), strict=True)
    header: list[str] | None = None
    for line, record in records(reader, source.name):
        if isinstance(record, BadLine):
            yield record
        elif header is None:
            header = header_of(record, source.name)
        elif record:
            yield row_or_bad(header, record, source.name, line)


def text_lines(source: Source) -> Iterator[str]:
    """Bytes that are not UTF-8 come through as lone surrogates, so that the record they stand in can be named."""
    for line in numbered_lines(source.stream(), source.name):
        if isinstance(line, BadLine):
            raise Unreadable(line)
        yield line.data.decode("utf-8", "surrogateescape") + "\n"


def delimiter_of(header: str) -> str:
    for delimiter in DELIMITERS:
        if set(REQUIRED) <= set(next(csv.reader([header], delimiter=delimiter), [])):
            return delimiter
    return ","


def records(reader: Any, file: str) -> Iterator[tuple[int, list[str] | BadLine]]:
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, BadLine(file, line, None, malformed(str(error)))


def malformed(error: str) -> str:
    if "unexpected end of data" in error:
        return "Malformed CSV: a quote is opened here and never closed."
    if "new-line character" in error:
        return "Malformed CSV: a carriage return outside quotes; rows must end in LF or CRLF."
    return f"Malformed CSV: {error}."


def header_of(record: list[str], file: str) -> list[str]:
    names = [name or f"column_{number}" for number, name in enumerate(record, start=1)]
    for name in names:
        if names.count(name) > 1:
            raise Unreadable(BadLine(file, 1, printable_name(name), "The header names this column twice."))
        if "\x00" in name or UNPAIRED.search(name):
            raise Unreadable(BadLine(file, 1, None, "The header is not valid UTF-8 text."))
    for name in STAND_OFF:
        if name in names:
            message = (
                f"A CSV cell cannot hold {name}: import JSONL, or give the column another name to keep it as meta."
            )
            raise Unreadable(BadLine(file, 1, name, message))
    for name in REQUIRED:
        if name not in names:
            raise Unreadable(BadLine(file, 1, name, f"Missing column {name!r}: the first line must name the columns."))
    return names


def printable_name(name: str) -> str:
    return UNPAIRED.sub("\ufffd", name.replace("\x00", "\ufffd"))


def row_or_bad(header: list[str], record: list[str], file: str, line: int) -> Row | BadLine:
    row_id = None
    try:
        if len(record) != len(header):
            raise Fault(None, f"{len(record)} cells where the header names {len(header)} columns.")
        fields = dict(zip(header, record, strict=True))
        row_id = known_id(fields)
        check_cells(fields)
        return row_of(dict(fields), file, line)
    except Fault as fault:
        return fault.at(file, line, row_id)


def check_cells(fields: dict[str, str]) -> None:
    for name, value in fields.items():
        if value.isascii() and "\x00" not in value:
            continue
        if "\x00" in value:
            raise Fault(name, "Holds a NUL character.")
        if UNPAIRED.search(value):
            raise Fault(name, "Not valid UTF-8.")
