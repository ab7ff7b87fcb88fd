"""A table as CSV (RFC 4180), safe to open in a spreadsheet."""

import csv
import io

from annotation_app.dashboards.report.tables import Cell, Table

# What a spreadsheet reads as the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_csv(table: Table) -> str:
    """Numbers at full precision, repeated cells filled in, an empty field where there is no value."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(neutral(column.name) for column in table.columns)
    writer.writerows([field(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def field(cell: Cell) -> str | float | int:
    if cell.value is None:
        return ""
    return neutral(cell.value) if isinstance(cell.value, str) else cell.value


def neutral(text: str) -> str:
    """An apostrophe before what would start a formula; blanks before it do not hide it."""
    starts = text.startswith(FORMULA_STARTS) or text.lstrip().startswith(FORMULA_STARTS)
    return f"'{text}" if starts else text
