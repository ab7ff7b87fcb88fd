"""Stream a dataset as lines out of one snapshot."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from typing import NamedTuple

from django.utils.text import slugify

from annotation_app.export.kinds import KINDS, TABLES, Kind, TableFormat
from annotation_app.export.label_tables import Cells, Table
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.models import Project, event_write

CHUNK_BYTES = 64 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ExportIncomplete(Exception):
    """The stream ended with another number of lines than was announced: the file is not whole."""


class TableFile(NamedTuple):
    """Pair a table's format, which turns rows into bytes, with what yields and counts the rows."""

    written: TableFormat
    table: Table


class Export:
    """Yield UTF-8 lines in chunks of some 64 KB, once; `total` is the number of lines.

    Of a table `total` counts the rows below its header. The rows are those of the moment when the export was opened.
    Raises Invalid before the first chunk, and ExportIncomplete rather than end early.
    """

    def __init__(self, kind: Kind, options: ExportOptions, filename: str, *, table: TableFile | None = None) -> None:
        self.kind, self.options, self.filename, self._table = kind, options, filename, table
        self.media_type = table.written.media_type if table else kind.format.media_type
        self.snapshot = Snapshot()
        with ExitStack() as undo:
            undo.callback(self.close)
            if table:
                self.total, self.records = (
                    table.table.total(self.snapshot, options),
                    table.table.rows(self.snapshot, options),
                )
                table.written.check(self.total)
            else:
                self.total, self.records = kind.read(self.snapshot, options)
            undo.pop_all()

    def __iter__(self) -> Iterator[bytes]:
        try:
            start = BYTE_ORDER_MARK if self._table and self.options.bom else b""
            written = self._table.written.write(self.cells()) if self._table else self.lines()
            yield from chunked(chain([start], written))
        finally:
            self.close()

    def lines(self) -> Iterator[bytes]:
        written = 0
        for record in self.records:
            yield self.kind.format.line(record)
            written += 1
        self.check(written)

    def cells(self) -> Iterator[Cells]:
        written = -1
        for row in self.records:
            yield row
            written += 1
        self.check(written)

    def check(self, written: int) -> None:
        if written != self.total:
            raise ExportIncomplete(f"{self.filename}: {written} lines of {self.total} were written. Export it again.")

    def close(self) -> None:
        self.snapshot.close()


def export_open(
    *, kind: str, options: ExportOptions, actor_id: int | None = None, written_as: str | None = None
) -> Export:
    """Open the snapshot and count. `kind` is a key of KINDS, `written_as` one of `formats_of(kind)`.

    The caller iterates or closes. The audit log notes who exported what, whether or not the stream is read to its end.
    """
    written_as = written_as or KINDS[kind].format.name
    rows = KINDS[kind].table
    table = TableFile(TABLES[written_as], rows) if rows and written_as in TABLES else None
    export = Export(KINDS[kind], options, filename_of(options, kind, written_as), table=table)
    said = {name: getattr(options, name) for name in ("names", *KINDS[kind].takes)}
    return export_logged(export, project=options.project, actor_id=actor_id, kind=kind, format=written_as, **said)


def export_logged(export: Export, *, project: Project, actor_id: int | None, **said: object) -> Export:
    """Write the export to the audit log with `said`, and return it; close it where that fails."""
    with ExitStack() as undo:
        undo.callback(export.close)
        event_write(
            verb="export_made",
            project=project,
            actor_id=actor_id,
            subject=project.uuid,
            file=export.filename,
            lines=export.total,
            **said,
        )
        undo.pop_all()
    return export


def chunked(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in chunks of CHUNK_BYTES or a little more; the last one is smaller."""
    held = bytearray()
    for each in lines:
        held += each
        if len(held) >= CHUNK_BYTES:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def filename_of(options: ExportOptions, kind: str, written_as: str) -> str:
    """Return a name that differs for different options, such as `board-text-validated-angle.jsonl`."""
    project = slugify(options.project.name) or "project"
    return f"{'-'.join([project, kind, *filename_parts(options, KINDS[kind])])}.{written_as}"


def filename_parts(options: ExportOptions, kind: Kind) -> Iterator[str]:
    """Yield what the file's name says of the options beside the kind."""
    if "phase" in kind.takes and options.phase == 2:
        yield "second-looks"
    if "revisions" in kind.takes and options.revisions == "all":
        yield "all-revisions"
    if "of" in kind.takes:
        yield "everyone" if options.of == "all" else options.of
    if "style" in kind.takes:
        yield options.style
    if "random_state" in kind.takes:
        yield f"seed-{options.random_state}"
    if options.names:
        yield "names"
