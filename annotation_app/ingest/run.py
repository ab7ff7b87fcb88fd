"""Run one import from its file to its rows: all of it or nothing, with a report either way."""

import logging
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.db import DatabaseError, DataError, connection, transaction
from django.utils import timezone

from annotation_app.disk import fault_words
from annotation_app.ingest.checks import project_lock
from annotation_app.ingest.formats import read_rows
from annotation_app.ingest.options import ImportOptions, OptionError, Plan
from annotation_app.ingest.reading import NOTHING, Reading, nothing_left, prepare, read_all, whole_check
from annotation_app.ingest.rows import BadLine, Unreadable
from annotation_app.ingest.source import Source, source_opened
from annotation_app.ingest.splitter import Splitter, SplitterMissing
from annotation_app.ingest.staging import order_stage, staging_tables
from annotation_app.ingest.write import STATEMENTS, counts_of_staged, write
from annotation_app.lease_renewal import LeaseRenewal, ProgressCallback
from annotation_app.models import Import, Lease, LeaseLost, event_write

logger = logging.getLogger(__name__)
READING_SHARE = 0.7


class Rejected(Exception):
    """The file has bad lines and they were not to be skipped, or no row is left."""


class ImportRun(Reading):
    """Hold what one run of an import knows."""

    def __init__(self, imported: Import, lease: Lease) -> None:
        super().__init__(imported.project, imported.filename, ImportOptions(**imported.options))
        self.imported = imported
        self.lease = lease


def import_execute(
    *, imported: Import, lease: Lease, path: Path | None = None, on_progress: ProgressCallback | None = None
) -> None:
    """Runs an import whose lease is held. `path` is read in place; without it the upload is read from the storage.

    Leaves the import done or failed with its report; bad input, a full disk and a lost database are reports, not
    exceptions. Raises LeaseLost, after which nothing was written.
    """
    run = ImportRun(imported, lease)
    opened = source_opened(name=imported.filename, stored=imported.file, path=path, manner=run.options.manner)
    try:
        with LeaseRenewal(lease, on_progress) as renewal, opened as source, staging_tables():
            plan = prepare(run, source)
            stage_all(run, plan, source, renewal)
            import_finish(run=run, plan=plan, renewal=renewal)
    except Rejected:
        import_fail(run=run)
    except Unreadable as error:
        import_fail(run=run, bad=error.bad)
    except OptionError as error:
        import_fail(run=run, bad=run.fault(str(error)))
    except SplitterMissing as error:
        import_fail(run=run, bad=run.fault(str(error), "splitter"))
    except DataError as error:
        logger.exception("Import %s holds what the database refuses", imported.uuid)
        import_fail(run=run, bad=run.fault(f"The database cannot hold a value of the file: {error}"))
    except (DatabaseError, OSError) as error:
        logger.exception("Import %s failed", imported.uuid)
        connection.close_if_unusable_or_obsolete()
        import_fail(run=run, bad=run.fault(fault_words(error)))
    if path is None:
        default_storage.delete(imported.file)


def stage_all(run: ImportRun, plan: Plan, source: Source, renewal: LeaseRenewal) -> None:
    run.sha256 = source.sha256()
    run.splitter = Splitter(run.options.splitter) if plan.needs_bounds else None
    rows = read_rows(source, run.format)
    read_all(run, plan, rows, lambda count: renewal.show("reading", READING_SHARE * source.fraction(), count))


def import_finish(*, run: ImportRun, plan: Plan, renewal: LeaseRenewal) -> None:
    """Write the corpus in one transaction. Raises Rejected, Unreadable, LeaseLost."""
    imported = run.imported
    with transaction.atomic():
        project_lock(imported.project_id)
        renewal.show("checking", READING_SHARE, run.rows)
        whole_check(run)
        if run.faults.count and not run.options.skip_bad_lines:
            raise Rejected
        counts = counts_of_staged() | {"order": order_stage()}
        if not counts["items"]:
            raise Unreadable(nothing_left(run))
        for done, step in enumerate(STATEMENTS):
            renewal.show(step, READING_SHARE + (1 - READING_SHARE) * done / len(STATEMENTS), run.rows)
            write(step, project_id=imported.project_id, source_id=imported.pk, makes_sentences=plan.makes_sentences)
        import_close(run=run, state=Import.State.DONE, report=run.report(counts, done=True))


def import_fail(*, run: ImportRun, bad: BadLine | None = None) -> None:
    if bad is not None:
        run.stop(bad)
    with transaction.atomic():
        import_close(run=run, state=Import.State.FAILED, report=run.report(NOTHING, done=False))


def import_close(*, run: ImportRun, state: str, report: dict[str, Any]) -> None:
    """Write the end of an import, which only the lease's holder may do. Raises LeaseLost."""
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
