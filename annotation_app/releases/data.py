"""The files of records: what the export streams, with every key in each record."""

from collections.abc import Callable, Iterator

from annotation_app.export.asked import Asked
from annotation_app.export.kinds import KINDS
from annotation_app.export.lines import json_line
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.stream import ExportIncomplete
from annotation_app.models import Project
from annotation_app.releases.folder import Folder
from annotation_app.releases.records import WHOLE, Record
from annotation_app.releases.shape import Shape

# Called with the share of all lines that is written.
Shown = Callable[[float], None]
SHOWN_EVERY = 100


def kinds_of(shape: Shape) -> list[str]:
    return ["aggregated", "annotations", *(["spans", "text"] if shape.has_spans else [])]


def data_write(*, folder: Folder, snapshot: Snapshot, project: Project, shape: Shape, show: Shown) -> None:
    """One file a kind. Raises ExportIncomplete where one ends with fewer or more lines than there are."""
    asked = Asked(project)
    reads = {kind: KINDS[kind].read(snapshot, asked) for kind in kinds_of(shape)}
    every, before = sum(total for total, _ in reads.values()), 0
    for kind, (total, records) in reads.items():
        lines = (json_line(WHOLE[kind](record, shape)) for record in told(records, before, every, show))
        written = folder.write(f"data/{kind}.jsonl", lines, records=True)
        if written.lines != total:
            raise ExportIncomplete(f"{written.path}: {written.lines} lines of {total} were written.")
        before += total


def told(records: Iterator[Record], before: int, every: int, show: Shown) -> Iterator[Record]:
    """The same; shows now and then how far it is."""
    for number, record in enumerate(records, start=before + 1):
        yield record
        if number % SHOWN_EVERY == 0:
            show(number / every)
