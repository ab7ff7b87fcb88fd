"""Read a sheet of an Excel workbook (.xlsx) as the CSV that Excel would save of it: its first row names the columns.

A formula counts as the value that was saved with it. Without a choice the first sheet that is shown is read.
"""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.utils.escape import unescape
from openpyxl.utils.exceptions import InvalidFileException

from annotation_app.ingest.damage import UNFORESEEN, told_as
from annotation_app.ingest.mapped import listed
from annotation_app.ingest.readers.csv_rows import header_of, row_or_bad
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, Unreadable
from annotation_app.ingest.source import Source

# Excel's own limit.
MOST_ROWS = 1_048_576
# The texts of all cells are held while a sheet is read, and a small archive may unpack to anything.
MOST_UNPACKED = 512 * 1024**2
MIDNIGHT = datetime.time()
DAMAGED = (ParseError, InvalidFileException, OSError, *UNFORESEEN)


def read_workbook(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield the rows of a sheet with their numbers in it. Raises Unreadable."""
    if source.part is not None and source.part.is_cut:
        raise Unreadable(source.fault("A workbook can only be read whole."))
    rows = ((number, trimmed(cells)) for number, cells in sheet_rows(source))
    filled = ((number, cells) for number, cells in rows if cells)
    line, header = next(filled, (0, []))
    if not header:
        raise Unreadable(source.fault(f"The sheet {source.sheet!r} is empty. {others(source)}".strip()))
    names = header_of([cell.strip() for cell in header], line, source)
    for number, (place, cells) in enumerate(filled, start=1):
        if len(cells) > len(names):
            yield beside_header(cells, len(names)).at(source.name, place)
        else:
            padding = [""] * (len(names) - len(cells))
            yield row_or_bad(names, [*cells, *padding], source, place, number)


def sheet_rows(source: Source) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the sheet's rows, and tell the source of the sheets. Damage is told with the row that was reached."""
    number = 0

    def damaged(_: Exception) -> BadLine:
        where = f"after row {number}" if number else "before its first row"
        message = f"The workbook is damaged or ends early, and cannot be read {where}. Save it anew in Excel."
        return BadLine(source.name, number or None, None, message)

    with told_as(damaged, *DAMAGED):
        check_size(source)
        book = load_workbook(source.file, read_only=True, data_only=True, keep_links=False)
        sheet = sheet_of(source, book)
        # A wrong note of the size would cut the rows.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            if number > MOST_ROWS:
                raise Unreadable(source.fault(f"The sheet has more than {MOST_ROWS:,} rows."))
            yield number, cells


def check_size(source: Source) -> None:
    with ZipFile(source.file) as zipped:
        size = sum(info.file_size for info in zipped.infolist())
    if size > MOST_UNPACKED:
        most = MOST_UNPACKED // 1024**2
        raise Unreadable(source.fault(f"The workbook unpacks to more than {most} MiB: save the sheet as CSV UTF-8."))


def sheet_of(source: Source, book: Any) -> Any:
    source.sheets = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
    asked = source.manner.sheet
    if not source.sheets:
        raise Unreadable(source.fault("The workbook shows no sheet with cells."))
    if asked and asked not in source.sheets:
        message = f"There is no sheet {asked!r}. Sheets found: {listed(source.sheets)}."
        raise Unreadable(source.fault(message))
    source.sheet = asked or source.sheets[0]
    return book[source.sheet]


def others(source: Source) -> str:
    names = [name for name in source.sheets if name != source.sheet]
    return f"Choose another one: {listed(names)}." if names else ""


def trimmed(cells: Iterable[Any]) -> list[str]:
    """Return the cells as texts, without empty ones at the end."""
    found = [cell_text(cell) for cell in cells]
    while found and not found[-1].strip():
        found.pop()
    return found


def cell_text(value: Any) -> str:
    """Return a cell's value as a text: 3.0 as 3, a day as 2026-05-01."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return (value.date() if value.time() == MIDNIGHT else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return unescape(value) if isinstance(value, str) else str(value)


def beside_header(cells: Sequence[str], n_columns: int) -> Fault:
    place = next(number for number, cell in enumerate(cells[n_columns:], start=n_columns + 1) if cell.strip())
    column = get_column_letter(place)
    return Fault(None, f"The cell in column {column} has no column name above it: name it, or take the cell out.")
