"""Write the files of records: what the export streams, with every key in each record."""

from collections.abc import Callable, Iterator
from contextlib import closing

from annotation_app.export.kinds import KINDS
from annotation_app.export.lines import json_line
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.stream import ExportIncomplete
from annotation_app.models import Project
from annotation_app.releases.dates import Dates
from annotation_app.releases.features import fields_of
from annotation_app.releases.folder import Folder
from annotation_app.releases.records import Record, whole
from annotation_app.releases.shape import Shape

# Called with the share of all lines that is written.
ReportProgress = Callable[[float], None]
REPORT_EVERY = 100


def kinds_of(shape: Shape) -> list[str]:
    return ["aggregated", "annotations", *(["spans", "text"] if shape.has_spans else [])]


def data_path(kind: str) -> str:
    return f"data/{kind}.jsonl"


def lines_to_come(project: Project, shape: Shape) -> dict[str, int]:
    """Count the lines that `data_write` would write now, by path."""
    with closing(Snapshot()) as snapshot:
        options = ExportOptions(project)
        return {data_path(kind): KINDS[kind].read(snapshot, options)[0] for kind in kinds_of(shape)}


def data_write(
    *, folder: Folder, snapshot: Snapshot, project: Project, shape: Shape, show: ReportProgress
) -> dict[str, list[str]]:
    """Write one file a kind, and return the fields of each that hold only dates.

    Raises ExportIncomplete where a file ends with fewer or more lines than there are.
    """
    options = ExportOptions(project)
    reads = {kind: KINDS[kind].read(snapshot, options) for kind in kinds_of(shape)}
    every, before = sum(total for total, _ in reads.values()), 0
    dates = {data_path(kind): Dates(fields_of(kind, shape)) for kind in reads}
    for kind, (total, records) in reads.items():
        path = data_path(kind)
        records_whole = (whole(kind, record, shape) for record in with_progress(records, before, every, show))
        written = folder.write(path, map(json_line, watched(records_whole, dates[path])), records=True)
        if written.lines != total:
            raise ExportIncomplete(f"{path}: {written.lines} lines of {total} were written.")
        before += total
    return {path: watch.found for path, watch in dates.items() if watch.found}


def watched(records: Iterator[Record], dates: Dates) -> Iterator[Record]:
    for record in records:
        dates.see(record)
        yield record


def with_progress(records: Iterator[Record], before: int, every: int, show: ReportProgress) -> Iterator[Record]:
    """Yield the records, and report progress now and then."""
    for number, record in enumerate(records, start=before + 1):
        yield record
        if number % REPORT_EVERY == 0:
            show(number / every)
