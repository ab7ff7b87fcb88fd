"""Find the columns of a file that is being read, and report missing ones once, for the whole file."""

from collections.abc import Collection, Sequence
from textwrap import shorten

from annotation_app.ingest.mapping import REQUIRED, ColumnMissing, ColumnTwice, columns_mapped
from annotation_app.ingest.rows import BadLine, Fault, Unreadable, printable
from annotation_app.ingest.source import Source

HOLD = {"id": "ids", "text": "texts"}


def columns_found(source: Source, columns: Sequence[str], line: int, noun: str, nested: Collection[str] = ()) -> None:
    """Set `columns` and `mapping` of the source. `noun` is column or field; `nested` columns are not guessed.

    Raises Unreadable at `line`.
    """
    source.columns = list(columns)
    found = f"{noun.capitalize()}s found: {listed(columns)}"
    manner = source.manner
    try:
        guess_id = not manner.number_rows
        source.mapping = columns_mapped(columns, manner.columns, guess_id=guess_id, nested=nested)
    except ColumnMissing as error:
        message = f"There is no {noun} {printable(error.column)[:100]!r} to read as {error.field}."
        raise unreadable(source, line, error.field, f"{message} {found}; choose one of them.") from error
    except ColumnTwice as error:
        message = f"Two {noun}s have the name of one field: {listed(error.columns)}. Choose one of them, or rename one."
        raise unreadable(source, line, error.columns[0], message) from error
    for name in REQUIRED:
        if source.mapping.column(name) is None and not (name == "id" and manner.number_rows):
            raise unreadable(source, line, name, f"Missing {noun} {name!r}. {found}; {mend(name, noun, columns)}.")


def mend(name: str, noun: str, columns: Sequence[str]) -> str:
    if len(columns) == 1 and noun == "column" and name == "text":
        return "this may not be a table: put a plain text into one with the columns id and text"
    numbered = ", or have the rows numbered" if name == "id" else ""
    return f"choose the {noun} with the {HOLD[name]}, or name it `{name}`{numbered}"


def unreadable(source: Source, line: int, field: str | None, message: str) -> Unreadable:
    return Unreadable(BadLine(source.name, line, field and printable(field), message))


def placed(fault: Fault, source: Source) -> Fault:
    """Name the column in the fault of a field that is read from one of another name."""
    column = source.mapping.column(fault.field) if fault.field else None
    if column is None or column == fault.field or source.mapping.is_named(str(fault.field)):
        return fault
    return Fault(fault.field, f"Column {printable(column)[:100]!r}: {fault.message}")


def listed(names: Sequence[str]) -> str:
    """Return the columns found, for a message."""
    return shorten(", ".join(printable(name) for name in names if name.strip()), 200, placeholder=" ...") or "none"
