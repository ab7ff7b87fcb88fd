"""Read delimited text: the header, the delimiter, and records with their first lines.

It is the one reader of tables.
"""

import csv
import re
import string
from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple, TextIO

from annotation_app.ingest.lines import numbered_lines
from annotation_app.ingest.mapping import plain_name
from annotation_app.ingest.rows import BadLine, Unreadable

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
AUTO = "auto"
# Of a cell: one whose quotation mark does not end is not read to the file's end.
MAX_CELL = 1_000_000
NAMED_DELIMITER = re.compile(r'"?sep=(.*?)"?', re.IGNORECASE)
# Of the characters after sep=: none, those that cells are made of, and the quotation mark.
UNUSABLE = ("", '"', " ", *string.ascii_letters, *string.digits)
UNREADABLE_START = "\0"
csv.field_size_limit(MAX_CELL)


class Malformed(NamedTuple):
    """A record that cannot be cut into cells, and why."""

    message: str


class Table(NamedTuple):
    """Hold a table. `header` is stripped, `records` are not; records of blanks only are skipped."""

    delimiter: str
    line: int
    header: list[str]
    records: Iterator[tuple[int, list[str] | Malformed]]


class Lines:
    """Yield lines with their ends.

    `number` is that of the last one, from 1. Raises Unreadable for one that is too long.
    """

    def __init__(self, text: TextIO, file: str, longest: int | None = None) -> None:
        self.file = file
        self.number = 0
        self._lines = numbered_lines(text, file, longest)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        if isinstance(line, BadLine):
            raise Unreadable(line)
        self.number = line.number
        return line.text

    def fault(self, line: int, message: str, field: str | None = None) -> Unreadable:
        return Unreadable(BadLine(self.file, line, field, message))


def table_of(lines: Lines, *, known: Collection[str], telling: Collection[str] = (), delimiter: str = AUTO) -> Table:
    """Read the header. By `known` names of columns, and others that are `telling`, a delimiter is told; `delimiter` is
    a name or AUTO.

    Raises Unreadable where there is no header, or what separates cells cannot be told.
    """
    header = next(lines, "")
    named = NAMED_DELIMITER.fullmatch(header.rstrip("\r\n"))
    if named:
        header = next(lines, "")
    while header and not header.strip():
        header = next(lines, "")
    if not header:
        raise lines.fault(max(lines.number, 1), f"There is no header. It names the columns: {', '.join(known)}.")
    if UNREADABLE_START in header:
        raise lines.fault(lines.number, "There is no text in it, or its encoding cannot be told: save it as CSV UTF-8.")
    sign = sign_of(lines, named, header, {*known, *telling}, delimiter)
    first = lines.number
    rows = numbered(lines, header, sign)
    line, cells = next(rows, (first, []))
    if isinstance(cells, Malformed):
        raise lines.fault(line, cells.message)
    return Table(sign, line, [cell.strip() for cell in cells], rows)


def sign_of(lines: Lines, named: re.Match[str] | None, header: str, known: Collection[str], delimiter: str) -> str:
    """Return the delimiter that a first line `sep=` names, as Excel writes and reads it."""
    if delimiter != AUTO:
        return DELIMITERS[delimiter]
    if named is None:
        return max(DELIMITERS.values(), key=lambda sign: (names_found(header, sign, known), header.count(sign)))
    sign = named[1][:1]
    if sign in UNUSABLE or named[1].strip(sign):
        raise lines.fault(1, "After sep= stands the one character that separates cells, as in sep=,")
    return sign


def names_found(header: str, sign: str, known: Collection[str]) -> int:
    try:
        cells = next(csv.reader([header], delimiter=sign), [])
    except csv.Error:
        return 0
    return len({plain_name(cell) for cell in cells} & set(known))


def numbered(lines: Lines, header: str, sign: str) -> Iterator[tuple[int, list[str] | Malformed]]:
    """Yield each record with its first line."""
    reader = csv.reader(chain([header], lines), delimiter=sign, strict=True)
    first = lines.number
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield first, Malformed(malformed(str(error)))
        else:
            if any(cell and not cell.isspace() for cell in cells):
                yield first, cells
        first = lines.number + 1


def malformed(error: str) -> str:
    mend = "Close the quotation mark that opens there, and double any quotation mark within a cell."
    if "field limit" in error:
        return f"Malformed CSV: a cell in quotation marks does not end for {MAX_CELL:,} characters. {mend}"
    if "unexpected end of data" in error:
        return f"Malformed CSV: a quote is opened here and never closed. {mend}"
    return f"Malformed CSV: {error}. {mend}"
