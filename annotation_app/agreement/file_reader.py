"""Answers from another tool: a CSV file read line by line in constant memory, with what is wrong in it."""

import csv
import io
import re
import string
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from textwrap import shorten
from typing import TextIO

REQUIRED = ("item", "annotator", "stage", "label")
COLUMNS = (*REQUIRED, "round")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
SHOWN = 20
# Of a line, and of a cell in quotation marks over several: one that does not end is not read to the file's end.
MAX_CHARACTERS = 1_000_000
STANDARD_INPUT = "-"
ENCODING, ESCAPED = "utf-8-sig", "surrogateescape"
NOT_UTF8 = re.compile("[\udc80-\udcff]")
SAVE_AS = "Save the file as UTF-8 (in Excel: CSV UTF-8)."
UTF16 = f"this is UTF-16, not UTF-8. {SAVE_AS}"
# First bytes, as they come through, and what is said of them.
STARTS = (
    (("\udcff\udcfe", "\udcfe\udcff"), UTF16),
    (("\x1f\udc8b",), "this is a gzip file. Unpack it first, or: gunzip -c FILE | manage.py agreement -"),
    (("PK\x03\x04",), "this is a ZIP file or a workbook, no CSV. Save the sheet as CSV UTF-8."),
)
NAMED_DELIMITER = re.compile(r'"?sep=(.*?)"?', re.IGNORECASE)
# Of the characters after sep=: none, those that cells are made of, and the quotation mark.
UNUSABLE = ("", '"', " ", *string.ascii_letters, *string.digits)


class FileInvalid(Exception):
    """What is wrong, a line each: `file:line: what, and the mend`."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class FileAnswer:
    """`line` is the first of the row's lines in the file, from 1. `round` is empty where there is no such column."""

    line: int
    item: str
    annotator: str
    stage: str
    label: str
    round: str


@contextmanager
def file_opened(named: str) -> Iterator[tuple[str, TextIO]]:
    """What messages call it, and its text with line ends as they are; bytes that are not UTF-8 come through as lone
    surrogates, so that their line can be named. `-` is standard input. Raises FileInvalid and OSError."""
    if named != STANDARD_INPUT:
        with open(named, encoding=ENCODING, errors=ESCAPED, newline="") as file:
            yield named, file
    elif isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding=ENCODING, errors=ESCAPED, newline="")
        yield "standard input", sys.stdin
    else:
        raise FileInvalid(["There is no standard input: name a file."])


class Lines:
    """Lines that end in LF, CRLF or CR, with their ends. `number` is that of the last one, from 1."""

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        self.number = 0
        self._file = file

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(MAX_CHARACTERS + 1)
        if not line:
            raise StopIteration
        self.number += 1
        if fault := (self.number == 1 and no_text(line)) or unreadable(line):
            raise FileInvalid([f"{self.name}:{self.number}: {fault}"])
        return line


def no_text(line: str) -> str | None:
    """What the first line is where it is none of a text in UTF-8."""
    for starts, said in STARTS:
        if line.startswith(starts):
            return said
    return f"there is no text in it, or it is UTF-16. {SAVE_AS}" if "\0" in line else None


def unreadable(line: str) -> str | None:
    if not line.isascii() and (found := NOT_UTF8.search(line)):
        return f"byte {len(line[: found.start()].encode()) + 1} is not UTF-8. {SAVE_AS}"
    if len(line) > MAX_CHARACTERS:
        return f"the line is longer than {MAX_CHARACTERS:,} characters. Write one line for each answer, or shorten it."
    return None


def file_answers(name: str, file: TextIO) -> Iterator[FileAnswer]:
    """The rows of the file, blank lines left out. Raises FileInvalid at the end for all bad rows together."""
    csv.field_size_limit(MAX_CHARACTERS)
    lines = Lines(name, file)
    delimiter, header = delimiter_and_header(lines)
    rows = numbered(lines, csv.reader(chain([header], lines), delimiter=delimiter, strict=True))
    names = header_names(name, *next(rows, (lines.number, [])))
    errors: list[str] = []
    n_errors = n_rows = 0
    for line, cells in rows:
        n_rows += 1
        if fault := fault_of(names, cells):
            n_errors += 1
            errors += [f"{name}:{line}: {fault}"] if len(errors) < SHOWN else []
        elif not n_errors:
            found = dict(zip(names, cells, strict=True))
            yield FileAnswer(line=line, **{column: found.get(column, "") for column in COLUMNS})
    if n_errors > SHOWN:
        errors.append(f"... and {n_errors - SHOWN:,} lines more.")
    if not n_rows:
        errors = [f"{name}: there is no answer below the header. Write one line for each item, annotator and stage."]
    if errors:
        raise FileInvalid(errors)


def delimiter_and_header(lines: Lines) -> tuple[str, str]:
    """Excel writes and heeds a first line that names the delimiter. Raises FileInvalid."""
    header = next(lines, "")
    named = NAMED_DELIMITER.fullmatch(header.rstrip("\r\n"))
    if named:
        header = next(lines, "")
    if not header.strip():
        line = max(lines.number, 1)
        raise FileInvalid([f"{lines.name}:{line}: there is no header. It names the columns: {', '.join(REQUIRED)}."])
    if not named:
        return max(DELIMITERS, key=header.count), header
    delimiter = named[1][:1]
    if delimiter in UNUSABLE or named[1].strip(delimiter):
        raise FileInvalid([f"{lines.name}:1: after sep= stands the one character that separates cells, as in sep=,"])
    return delimiter, header


def numbered(lines: Lines, rows: Iterable[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Each row's stripped cells with its first line; the header's was read before."""
    first = lines.number
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield first, [cell.strip() for cell in cells]
            first = lines.number + 1
    except csv.Error as error:
        said = str(error)
        if "field limit" in said:
            said = f"a cell in quotation marks does not end for {MAX_CHARACTERS:,} characters"
        mend = "Close the quotation mark that opens there, and double those within a cell."
        raise FileInvalid([f"{lines.name}:{first}: {said}. {mend}"]) from None


def header_names(file: str, line: int, cells: Sequence[str]) -> list[str]:
    names = [cell.lower() for cell in cells]
    if missing := [name for name in REQUIRED if name not in names]:
        found = shorten(", ".join(filter(None, cells)), 200, placeholder=" ...")
        mend = f"Name the columns {', '.join(REQUIRED)}; found: {found}."
        raise FileInvalid([f"{file}:{line}: no column {' or '.join(missing)}. {mend}"])
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        raise FileInvalid([f"{file}:{line}: the column {twice[0]} stands there twice. Leave one out."])
    return names


def fault_of(names: Sequence[str], cells: Sequence[str]) -> str | None:
    if len(cells) != len(names):
        return (
            f"{len(cells)} cells under a header of {len(names)}. Put cells that hold the delimiter in quotation marks."
        )
    for name, cell in zip(names, cells, strict=True):
        if name in COLUMNS and not cell:
            return f"the cell {name} is empty. Fill it, or leave the line out if there is no answer."
        if "\0" in cell:
            return f"the cell {name} holds a NUL character. Remove it."
    return None
