"""A dataset as a stream of lines out of one snapshot."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from typing import NamedTuple

from django.utils.text import slugify

from annotation_app.export.asked import Asked
from annotation_app.export.kinds import KINDS, TABLES, Kind, TableFormat
from annotation_app.export.label_tables import ROWS, Cells, Table
from annotation_app.export.snapshot import Snapshot
from annotation_app.models import Project, event_write

CHUNK_BYTES = 64 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ExportIncomplete(Exception):
    """The stream ended with another number of lines than was announced: what was written must not pass for whole."""


class TableFile(NamedTuple):
    """A table in place of lines: the format that makes bytes of its rows, and what gives and counts them."""

    written: TableFormat
    table: Table


class Export:
    """Iterated once, it gives UTF-8 lines in chunks of some 64 KB; `total` is how many lines there will be.

    Of a table `total` counts the rows below its header. The rows are those of the moment it was opened. Raises
    TableTooLarge before anything is given, and in the middle rather than end early.
    """

    def __init__(self, kind: Kind, asked: Asked, filename: str, *, table: TableFile | None = None) -> None:
        self.kind, self.asked, self.filename, self._table = kind, asked, filename, table
        self.media_type = table.written.media_type if table else kind.format.media_type
        self.snapshot = Snapshot()
        with ExitStack() as undo:
            undo.callback(self.close)
            if table:
                self.total, self.records = (
                    table.table.total(self.snapshot, asked),
                    table.table.rows(self.snapshot, asked),
                )
                table.written.check(self.total)
            else:
                self.total, self.records = kind.read(self.snapshot, asked)
            undo.pop_all()

    def __iter__(self) -> Iterator[bytes]:
        try:
            start = BYTE_ORDER_MARK if self._table and self.asked.bom else b""
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
            raise ExportIncomplete(f"{self.filename}: {written} lines of {self.total} were written.")

    def close(self) -> None:
        self.snapshot.close()


def export_open(*, kind: str, asked: Asked, actor_id: int | None = None, written_as: str | None = None) -> Export:
    """Opens the snapshot and counts. `kind` is a key of KINDS, `written_as` one of `formats_of(kind)`.

    The caller iterates or closes. The audit log says who took what out, whether or not the stream is read to its end;
    from the command line, nobody.
    """
    written_as = written_as or KINDS[kind].format.name
    table = TableFile(TABLES[written_as], ROWS[kind]) if written_as in TABLES else None
    export = Export(KINDS[kind], asked, filename_of(asked, kind, written_as), table=table)
    said = {name: getattr(asked, name) for name in ("names", *KINDS[kind].takes)}
    return export_logged(export, project=asked.project, actor_id=actor_id, kind=kind, format=written_as, **said)


def export_logged(export: Export, *, project: Project, actor_id: int | None, **said: object) -> Export:
    """The export, once the audit log has it with what is `said` of it; closed where that fails."""
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
    held = bytearray()
    for each in lines:
        held += each
        if len(held) >= CHUNK_BYTES:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def filename_of(asked: Asked, kind: str, written_as: str) -> str:
    """Two files that differ in what was asked for have two names: `board-text-validated-angle.jsonl`."""
    project = slugify(asked.project.name) or "project"
    return f"{'-'.join([project, kind, *said_of(asked, KINDS[kind])])}.{written_as}"


def said_of(asked: Asked, kind: Kind) -> Iterator[str]:
    if "phase" in kind.takes and asked.phase == 2:
        yield "second-looks"
    if "revisions" in kind.takes and asked.revisions == "all":
        yield "all-revisions"
    if "of" in kind.takes:
        yield "everyone" if asked.of == "all" else asked.of
    if "style" in kind.takes:
        yield asked.style
    if "random_state" in kind.takes:
        yield f"seed-{asked.random_state}"
    if asked.names:
        yield "names"
