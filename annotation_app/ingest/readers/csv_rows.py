"""Read CSV and similar tables (tabs, semicolons, pipes), plain or as .gz: the header names the columns.

Fields are those of JSONL. Cells may hold quoted delimiters, quotes and line breaks. Encoding and delimiter are found
from the file, unless they are chosen.
"""

from collections.abc import Iterator

from annotation_app.ingest.delimited import Lines, Malformed, table_of
from annotation_app.ingest.encodings import Encoding
from annotation_app.ingest.lines import check_decoded
from annotation_app.ingest.mapped import columns_found, listed, placed, unreadable
from annotation_app.ingest.mapping import FIELDS, TELLING, plain_name
from annotation_app.ingest.rows import UNPAIRED, BadLine, Fault, ImportRow, known_id, row_of
from annotation_app.ingest.source import Source
from annotation_app.ingest.stand_off import STAND_OFF


def read_csv(source: Source) -> Iterator[ImportRow | BadLine]:
    """Yield the rows; a record of several lines is reported with its first one."""
    lines = Lines(source.text(), source.name)
    chosen = {plain_name(column) for column in source.manner.columns.values() if column}
    table = table_of(lines, known=FIELDS, telling=TELLING | chosen, delimiter=source.manner.delimiter)
    source.delimiter = table.delimiter
    header = header_of(table.header, table.line, source)
    for number, (line, cells) in enumerate(table.records, start=1):
        if isinstance(cells, Malformed):
            yield BadLine(source.name, line, None, cells.message)
        else:
            yield row_or_bad(header, cells, source, line, number)


def header_of(cells: list[str], line: int, source: Source) -> list[str]:
    """Return the columns' names; the source is told what each is read as. Raises Unreadable."""
    names = [name or f"column_{number}" for number, name in enumerate(cells, start=1)]
    for name in names:
        if "\x00" in name or UNPAIRED.search(name):
            raise unreadable(
                source, line, None, f"The header is not valid {shown(source.encoding)} text: choose another encoding."
            )
        if names.count(name) > 1:
            raise unreadable(source, line, name, f"The header names this column twice: {listed(cells)}.")
        if name in STAND_OFF:
            message = f"A cell cannot hold {name}: import JSONL, or give the column another name to keep it as meta."
            raise unreadable(source, line, name, message)
    columns_found(source, names, line, "column")
    return names


def shown(encoding: Encoding | None) -> str:
    return encoding.shown if encoding else "UTF-8"


def row_or_bad(header: list[str], cells: list[str], source: Source, line: int, number: int) -> ImportRow | BadLine:
    row_id = None
    try:
        if len(cells) < len(header) or any(cell.strip() for cell in cells[len(header) :]):
            counts = f"{len(cells)} cells where the header names {len(header)} columns"
            raise Fault(None, f"{counts}: put cells that hold the delimiter in quotation marks.")
        fields = dict(zip(header, cells, strict=False))
        known, beside = source.mapping.split(fields)
        if source.manner.number_rows and not known.get("id", "").strip():
            known["id"] = f"{source.stem}-{number}"
        row_id = known_id(known)
        check_cells(fields, source.encoding_name)
        return row_of(known, beside, source.name, line)
    except Fault as fault:
        return placed(fault, source).at(source.name, line, row_id)


def check_cells(fields: dict[str, str], encoding: str) -> None:
    for name, value in fields.items():
        if value.isascii() and "\x00" not in value:
            continue
        if "\x00" in value:
            raise Fault(name, "Holds a NUL character: take it out.")
        try:
            check_decoded(value, encoding)
        except Fault as fault:
            raise Fault(name, fault.message.replace("of the line", "of the cell")) from fault
