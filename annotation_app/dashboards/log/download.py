"""Stream the audit log as a file of JSON Lines or CSV, out of one snapshot."""

import csv
import io
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.utils.text import slugify

from al_worker.formats.spreadsheet import neutral
from annotation_app.dashboards.log.lines import (
    ALL,
    MAIN,
    Line,
    LogFilters,
    line_of,
    lines_statement,
    total_statement,
)
from annotation_app.export.kinds import JSONL, TABLES, Format, Kind
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.stream import Export, export_logged
from annotation_app.export.times import utc
from annotation_app.models import Membership

COLUMNS = ("id", "at", "who", "username", "kind", "verb", "sentence", "subject", "data")


def csv_line(record: dict[str, Any]) -> bytes:
    """Return an RFC 4180 line that is safe to open in a spreadsheet, with data as JSON."""
    text = io.StringIO()
    cells = (json.dumps(cell, ensure_ascii=False) if isinstance(cell, dict) else cell for cell in record.values())
    csv.writer(text).writerow(neutral(cell) if isinstance(cell, str) else cell for cell in cells)
    return text.getvalue().encode()


FORMATS = {format.name: format for format in (JSONL, Format("csv", TABLES["csv"].title, "text/csv", csv_line))}


def log_open(*, filters: LogFilters, format: str, actor_id: int) -> Export:
    """Open the snapshot, count, and write who took the log out; that line is not in the file.

    `format` is a key of FORMATS; the first line of CSV names the columns. The caller iterates or closes.
    """

    def counted(snapshot: Snapshot, _: ExportOptions) -> tuple[int, Iterator[dict[str, Any]]]:
        total = snapshot.value(total_statement(), filters.parameters())
        rows = (record(line_of(*row)) for row in snapshot.rows(lines_statement(), filters.parameters()))
        if format == JSONL.name:
            return total, rows
        return total + 1, chain([dict(zip(COLUMNS, COLUMNS, strict=True))], rows)

    kind = Kind(counted, (), FORMATS[format])
    export = Export(kind, ExportOptions(filters.project), filename_of(filters, format))
    said = {"kind": "log", "names": True, "log": {"kind": filters.kind, "person": person_name(filters)}}
    return export_logged(export, project=filters.project, actor_id=actor_id, **said)


def record(line: Line) -> dict[str, Any]:
    return {name: getattr(line, name) for name in COLUMNS} | {"at": utc(line.at)}


def filename_of(filters: LogFilters, format: str) -> str:
    """Return a name such as `board-log-decisions-annotator-2.csv`."""
    project = slugify(filters.project.name) or "project"
    said = {MAIN: [], ALL: ["everything"]}.get(filters.kind, [filters.kind])
    person = person_name(filters)
    return f"{'-'.join([project, 'log', *said, *([slugify(person)] if person else [])])}.{format}"


def person_name(filters: LogFilters) -> str | None:
    if isinstance(filters.person, Membership):
        return f"annotator {filters.person.number}"
    return filters.person
