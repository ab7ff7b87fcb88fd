"""Write rows of cells as the bytes of a CSV file or an Excel workbook."""

import csv
import io
import tempfile
from collections.abc import Iterator
from typing import Any

from xlsxwriter import Workbook

from al_worker.formats.spreadsheet import neutral
from annotation_app.export.label_tables import Cells
from annotation_app.export.lines import plain
from annotation_app.refusals import Invalid

# Excel's own limits (Microsoft: Excel specifications and limits).
MAX_ROWS, MAX_CHARACTERS, MAX_COLUMNS = 1_048_576, 32_767, 16_384
READ_AT_ONCE = 64 * 1024


def xlsx_check(rows: int) -> None:
    """Raise Invalid for more rows below a header than a worksheet holds."""
    if rows + 1 > MAX_ROWS:
        told = f"{rows:,} rows are more than the {MAX_ROWS - 1:,} that an Excel sheet holds below its header"
        raise Invalid({"format": [f"{told}: choose CSV."]})


def csv_bytes(rows: Iterator[Cells]) -> Iterator[bytes]:
    """Yield RFC 4180 in UTF-8; missing values are empty, truth values TRUE or FALSE, as R and pandas read them."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([csv_cell(plain(cell)) for cell in row])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


def csv_cell(value: Any) -> Any:
    """Return a cell of CSV, with text that no spreadsheet runs."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return neutral(value) if isinstance(value, str) else value


def xlsx_bytes(rows: Iterator[Cells]) -> Iterator[bytes]:
    """Yield a workbook in constant memory: the rows, and a sheet that names cells Excel could not hold whole.

    Raises Invalid before the first byte.
    """
    with tempfile.TemporaryFile() as file:
        options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "in_memory": False}
        with Workbook(file, options) as book:
            cut = sheet_write(book, rows)
            notes = book.add_worksheet("notes")
            notes.write_string(0, 0, f"{len(cut):,} cells held more than {MAX_CHARACTERS:,} characters and were cut.")
            for number, place in enumerate(cut[:1000], start=1):
                notes.write_string(number, 0, place)
        file.seek(0)
        while part := file.read(READ_AT_ONCE):
            yield part


def sheet_write(book: Workbook, rows: Iterator[Cells]) -> list[str]:
    """Write the rows; return the places of cells that were cut."""
    sheet = book.add_worksheet("labels")
    cut = []
    for number, row in enumerate(rows):
        if number >= MAX_ROWS or len(row) > MAX_COLUMNS:
            raise Invalid({"format": [f"Excel holds {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns: choose CSV."]})
        for place, cell in enumerate(row):
            value = plain(cell)
            if isinstance(value, str) and len(value.encode("utf-16-le")) // 2 > MAX_CHARACTERS:
                cut.append(f"row {number + 1}, column {place + 1}")
                value = value.encode("utf-16-le")[: 2 * MAX_CHARACTERS].decode("utf-16-le", "ignore")
            if isinstance(value, bool):
                sheet.write_boolean(number, place, value)
            elif isinstance(value, int | float) and abs(value) < 1e15:
                sheet.write_number(number, place, value)
            elif value is not None:
                sheet.write_string(number, place, str(value))
    return cut
