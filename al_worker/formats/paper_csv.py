"""Write a table as CSV (RFC 4180), safe to open in a spreadsheet."""

import csv
import io

from al_worker.formats.paper_tables import Cell, Column, Table
from al_worker.formats.spreadsheet import neutral


def as_csv(table: Table) -> str:
    """Write numbers at full precision, repeated cells filled in, and an empty field where there is no value.

    Beside a column NAME stand NAME_key, NAME_low and NAME_high, NAME_n, NAME_undefined_because, and what the column
    names itself, where its cells have them.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(neutral(name) for column in table.columns for name in names(column))
    writer.writerows(
        [part for column, cell in zip(table.columns, row, strict=True) for part in fields(column, cell)]
        for row in table.rows
    )
    return text.getvalue()


def names(column: Column) -> list[str]:
    beside = [*["key"] * column.has_key, *["low", "high"] * column.has_interval, *["n"] * column.has_n]
    beside += [*["undefined_because"] * column.has_reason, *column.beside]
    return [column.name, *(f"{column.name}_{each}" for each in beside)]


def fields(column: Column, cell: Cell) -> list[str | float | int]:
    low, high = (cell.interval.low, cell.interval.high) if cell.interval else ("", "")
    return [
        field(cell),
        *[neutral(cell.key)] * column.has_key,
        *[low, high] * column.has_interval,
        *["" if cell.n is None else cell.n] * column.has_n,
        *[neutral(cell.why)] * column.has_reason,
        *(["" if value is None else value for value in cell.beside] or [""] * len(column.beside)),
    ]


def field(cell: Cell) -> str | float | int:
    if cell.value is None:
        return ""
    return neutral(cell.value) if isinstance(cell.value, str) else cell.value
