"""Answers from another tool: a CSV file read line by line in constant memory, with what is wrong in it."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

REQUIRED = ("item", "annotator", "stage", "label")
COLUMNS = (*REQUIRED, "round")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
SHOWN = 20
SAVE_AS = "Save the file as UTF-8 (in Excel: CSV UTF-8)."


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


def decoded(path: Path) -> Iterator[str]:
    """Lines with their ends. Raises FileInvalid where bytes are not UTF-8; a byte order mark is passed over."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if number == 1 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise FileInvalid([f"{path}:1: this is UTF-16, not UTF-8. {SAVE_AS}"])
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise FileInvalid([f"{path}:{number}: byte {error.start + 1} is not UTF-8. {SAVE_AS}"]) from None


def file_answers(path: Path) -> Iterator[FileAnswer]:
    """The rows of the file, blank lines left out. Raises FileInvalid at the end for all bad rows together."""
    lines = decoded(path)
    header = next(lines, "")
    rows = csv.reader(lines, delimiter=delimiter_of(header), strict=True)
    names = header_names(path, header)
    errors: list[str] = []
    n_errors = n_rows = 0
    for line, cells in numbered(path, rows):
        n_rows += 1
        if fault := fault_of(names, cells):
            n_errors += 1
            errors += [f"{path}:{line}: {fault}"] if len(errors) < SHOWN else []
        elif not n_errors:
            found = dict(zip(names, cells, strict=True))
            yield FileAnswer(line=line, **{name: found.get(name, "") for name in COLUMNS})
    if n_errors > SHOWN:
        errors.append(f"... and {n_errors - SHOWN:,} lines more.")
    if not n_rows:
        errors = [f"{path}: there is no answer below the header. Write one line for each item, annotator and stage."]
    if errors:
        raise FileInvalid(errors)


def numbered(path: Path, rows: "Iterable[list[str]]") -> Iterator[tuple[int, list[str]]]:
    """Each row's stripped cells with its first line; the header, line 1, was read before."""
    first = 2
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield first, [cell.strip() for cell in cells]
            first = 2 + rows.line_num  # type: ignore[attr-defined]
    except csv.Error as error:
        mend = "Close the quotation mark that opens there, and double those within a cell."
        raise FileInvalid([f"{path}:{first}: {error}. {mend}"]) from None


def delimiter_of(header: str) -> str:
    return max(DELIMITERS, key=header.count)


def header_names(path: Path, header: str) -> list[str]:
    if not header.strip():
        raise FileInvalid([f"{path}:1: there is no header. The first line names the columns: {', '.join(REQUIRED)}."])
    (cells,) = csv.reader([header], delimiter=delimiter_of(header))
    names = [cell.strip().lower() for cell in cells]
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        found = ", ".join(filter(None, cells)).strip()
        raise FileInvalid(
            [f"{path}:1: no column {' or '.join(missing)}. Name the columns {', '.join(REQUIRED)}; found: {found}."]
        )
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        raise FileInvalid([f"{path}:1: the column {twice[0]} stands there twice. Leave one out."])
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
