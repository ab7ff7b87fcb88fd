"""One import from its file to its rows: all of it or nothing, and a report either way."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from annotation_app.codebook.definition import parse_definition
from annotation_app.codebook.spans import SpanLayer
from annotation_app.ingest.checks import duplicates_drop, duplicates_find, project_lock
from annotation_app.ingest.faults import Faults
from annotation_app.ingest.formats import READERS, format_of
from annotation_app.ingest.options import ImportOptions, OptionError, Plan
from annotation_app.ingest.rows import BadLine, Fault, Row, Unreadable
from annotation_app.ingest.source import Source, source_opened
from annotation_app.ingest.source_checks import sources_check
from annotation_app.ingest.splitter import Splitter, SplitterMissing
from annotation_app.ingest.staging import BATCH_ROWS, batches, refused_stage, stage, staging_tables
from annotation_app.ingest.stand_off import row_fitted
from annotation_app.ingest.write import STATEMENTS, counts_of_staged, write
from annotation_app.models import Import, Lease, LeaseLost, Project, event_write
from annotation_app.projects.services import published_codebook
from annotation_app.pulse import Pulse, Told

logger = logging.getLogger(__name__)
READING_SHARE = 0.7
NOTHING = {
    "documents": 0,
    "utterances": 0,
    "items": 0,
    "kept": 0,
    "left_out": {"too_short": 0, "too_long": 0},
    "left_out_utterances": {"too_short": 0, "too_long": 0},
    "sources": 0,
    "marked_items": 0,
    "marks": 0,
}


class Rejected(Exception):
    """The file has bad lines and they were not to be skipped, or no row is left."""


class Run:
    """What one run of an import knows on its way."""

    def __init__(self, imported: Import, lease: Lease) -> None:
        self.imported = imported
        self.lease = lease
        self.options = ImportOptions(**imported.options)
        self.faults = Faults()
        self.refused: list[BadLine] = []
        self.format = imported.format
        self.plan: Plan | None = None
        self.layer: SpanLayer | None = None
        self.splitter: Splitter | None = None
        self.sha256 = ""
        self.rows = 0
        self.data_file = imported.filename
        self.started = time.monotonic()

    def report(self, counts: dict[str, Any], *, done: bool) -> dict[str, Any]:
        """The shape of docs/api.md, and what makes the import repeatable: limits, the file's hash."""
        limits = self.plan.limits if self.plan else None
        return {
            **counts,
            "rows": self.plan.rows if self.plan else None,
            "limits": {"min_tokens": limits[0], "max_tokens": limits[1]} if limits else None,
            "skipped_lines": self.faults.count if done else 0,
            "splitter": self.splitter.record() if self.splitter else None,
            "sha256": self.sha256,
            "errors": self.faults.as_dicts(),
            "n_errors": self.faults.count,
            "seconds": round(time.monotonic() - self.started, 2),
        }


def import_execute(*, imported: Import, lease: Lease, path: Path | None = None, told: Told | None = None) -> None:
    """Runs an import whose lease is held. `path` is read in place; without it the upload is read from the storage.

    Leaves the import done or failed with its report; bad input, a full disk and a lost database are reports, not
    exceptions. Raises LeaseLost, after which nothing was written.
    """
    run = Run(imported, lease)
    opened = source_opened(name=imported.filename, stored=imported.file, path=path)
    try:
        with Pulse(lease, told) as pulse, opened as source, staging_tables():
            plan = prepare(run, source)
            read_all(run, plan, source, pulse)
            import_finish(run=run, plan=plan, pulse=pulse)
    except Rejected:
        import_fail(run=run)
    except Unreadable as error:
        import_fail(run=run, bad=error.bad)
    except OptionError as error:
        import_fail(run=run, bad=run_fault(run, str(error)))
    except SplitterMissing as error:
        import_fail(run=run, bad=BadLine(imported.filename, None, "splitter", str(error)))
    except (DatabaseError, OSError) as error:
        logger.exception("Import %s failed", imported.uuid)
        connection.close_if_unusable_or_obsolete()
        import_fail(run=run, bad=run_fault(run, f"The server could not finish it: {error}"))
    if path is None:
        default_storage.delete(imported.file)


def run_fault(run: Run, message: str) -> BadLine:
    return BadLine(run.imported.filename, None, None, message)


def prepare(run: Run, source: Source) -> Plan:
    run.format = format_of(source, run.options.format)
    run.plan = plan = run.options.plan(run.format)
    run.layer = span_layer(run.imported.project)
    run.sha256 = source.sha256()
    run.splitter = Splitter(run.options.splitter) if plan.needs_bounds else None
    return plan


def span_layer(project: Project) -> SpanLayer | None:
    """Of the published codebook, which new batches take."""
    codebook = published_codebook(project)
    return parse_definition(codebook.definition).span_layer if codebook else None


def read_all(run: Run, plan: Plan, source: Source, pulse: Pulse) -> None:
    """Reads to the end, so that every bad line is counted."""
    for batch in batches(good_rows(run, plan, source)):
        run.data_file = batch[0].file
        for bad in stage(batch, plan, run.splitter):
            refuse(run, bad)
        run.rows += len(batch)
        pulse.show("reading", READING_SHARE * source.fraction(), run.rows)
    refused_flush(run)


def good_rows(run: Run, plan: Plan, source: Source) -> Iterator[Row]:
    for row in READERS[run.format](source):
        if isinstance(row, BadLine):
            refuse(run, row)
            continue
        try:
            yield row_fitted(row, plan, run.layer)
        except Fault as fault:
            refuse(run, fault.at(row.file, row.line, row.id))


def refuse(run: Run, bad: BadLine) -> None:
    """Where bad lines are skipped, the next row with such an id takes it."""
    run.faults.add(bad)
    if not run.options.skip_bad_lines:
        run.refused.append(bad)
    if len(run.refused) >= BATCH_ROWS:
        refused_flush(run)


def refused_flush(run: Run) -> None:
    refused_stage(run.refused)
    run.refused.clear()


def import_finish(*, run: Run, plan: Plan, pulse: Pulse) -> None:
    """The one transaction in which the corpus comes to be. Raises Rejected, Unreadable, LeaseLost."""
    imported = run.imported
    with transaction.atomic():
        project_lock(imported.project_id)
        pulse.show("checking", READING_SHARE, run.rows)
        whole_check(run)
        counts = counts_of_staged()
        if not counts["items"]:
            raise Unreadable(run_fault(run, "No row is left to import."))
        for done, step in enumerate(STATEMENTS):
            pulse.show(step, READING_SHARE + (1 - READING_SHARE) * done / len(STATEMENTS), run.rows)
            write(step, project_id=imported.project_id, source_id=imported.pk, makes_sentences=plan.makes_sentences)
        import_close(run=run, state=Import.State.DONE, report=run.report(counts, done=True))


def whole_check(run: Run) -> None:
    """What shows once all rows are there. Bad lines leave the staging tables, or Rejected is raised."""
    project_id, skip = run.imported.project_id, run.options.skip_bad_lines
    duplicates = duplicates_find(project_id=project_id, file=run.data_file, faults=run.faults)
    if duplicates and skip:
        duplicates_drop()
    sources_check(project_id=project_id, file=run.data_file, faults=run.faults, skip=skip)
    if run.faults.count and not skip:
        raise Rejected


def import_fail(*, run: Run, bad: BadLine | None = None) -> None:
    if bad is not None:
        run.faults.add(bad)
    with transaction.atomic():
        import_close(run=run, state=Import.State.FAILED, report=run.report(NOTHING, done=False))


def import_close(*, run: Run, state: str, report: dict[str, Any]) -> None:
    """The last write of an import, by the lease's holder only. Raises LeaseLost."""
    fraction = 1.0 if state == Import.State.DONE else run.imported.progress.get("fraction", 0.0)
    written = run.lease.held().update(
        state=state,
        format=run.format,
        report=report,
        progress={"step": state, "fraction": fraction, "rows": run.rows},
        finished_at=timezone.now(),
        lease_until=None,
    )
    if not written:
        raise LeaseLost
    event_write(
        verb="import_done" if state == Import.State.DONE else "import_failed",
        project=run.imported.project,
        actor_id=run.imported.created_by_id,
        subject=run.imported.uuid,
        items=report["items"],
        n_errors=report["n_errors"],
    )
