"""A dataset as a stream of lines out of one snapshot."""

from collections.abc import Iterator
from contextlib import ExitStack

from django.utils.text import slugify

from annotation_app.export.asked import Asked
from annotation_app.export.kinds import KINDS, Kind
from annotation_app.export.snapshot import Snapshot
from annotation_app.models import Project, event_write

CHUNK_BYTES = 64 * 1024


class ExportIncomplete(Exception):
    """The stream ended with another number of lines than was announced: what was written must not pass for whole."""


class Export:
    """Iterated once, it gives UTF-8 lines in chunks of some 64 KB; `total` is how many lines there will be.

    The rows are those of the moment it was opened. Raises in the middle rather than end early.
    """

    def __init__(self, kind: Kind, asked: Asked, filename: str) -> None:
        self.kind, self.asked, self.filename = kind, asked, filename
        self.snapshot = Snapshot()
        with ExitStack() as undo:
            undo.callback(self.close)
            self.total, self.records = kind.read(self.snapshot, asked)
            undo.pop_all()

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from chunked(self.lines())
        finally:
            self.close()

    def lines(self) -> Iterator[bytes]:
        written = 0
        for record in self.records:
            yield self.kind.format.line(record)
            written += 1
        if written != self.total:
            raise ExportIncomplete(f"{self.filename}: {written} lines of {self.total} were written.")

    def close(self) -> None:
        self.snapshot.close()


def export_open(*, kind: str, asked: Asked, actor_id: int | None = None) -> Export:
    """Opens the snapshot and counts. `kind` is a key of KINDS. The caller iterates or closes.

    The audit log says who took what out, whether or not the stream is read to its end; from the command line, nobody.
    """
    export = Export(KINDS[kind], asked, filename_of(asked, kind))
    said = {name: getattr(asked, name) for name in KINDS[kind].takes}
    return export_logged(export, project=asked.project, actor_id=actor_id, kind=kind, names=asked.names, **said)


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


def filename_of(asked: Asked, kind: str) -> str:
    """Two files that differ in what was asked for have two names: `board-text-validated-angle.jsonl`."""
    project = slugify(asked.project.name) or "project"
    return f"{'-'.join([project, kind, *said_of(asked, KINDS[kind])])}.{KINDS[kind].format.name}"


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
