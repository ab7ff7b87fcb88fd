"""Run one import from its file to its rows: all of it or nothing, with a report either way."""

from functools import partial
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.db import DataError, transaction

from annotation_app.db.statistics import analyze
from annotation_app.ingest.checks import project_lock
from annotation_app.ingest.formats import read_rows
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.plan import Plan
from annotation_app.ingest.reading import NOTHING, Reading, nothing_left, prepare, read_all, whole_check
from annotation_app.ingest.rows import BadLine, Unreadable
from annotation_app.ingest.source import Source, source_opened
from annotation_app.ingest.splitter import Splitter, SplitterMissing
from annotation_app.ingest.staging import order_stage, staging_tables
from annotation_app.ingest.write import STATEMENTS, counts_of_staged, write
from annotation_app.lease_renewal import LeaseRenewal, ProgressCallback
from annotation_app.leased_jobs import LeasedJob
from annotation_app.models import (
    Document,
    Import,
    ImportedSpans,
    Item,
    ItemSource,
    Lease,
    SourceDocument,
    Utterance,
    event_write,
)
from annotation_app.refusals import Invalid

READING_SHARE = 0.7


class Rejected(Exception):
    """The file has bad lines and they were not to be skipped, or no row is left."""


class ImportRun(LeasedJob, Reading):
    """Hold one attempt at an import. `path` is read in place; without it the upload is read from the storage.

    Bad input is a report, not an exception.
    """

    model = Import

    def __init__(
        self,
        row: Import,
        lease: Lease,
        *,
        path: Path | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> None:
        LeasedJob.__init__(self, row, lease)
        Reading.__init__(self, row.project, row.filename, ImportOptions(**row.options))
        self.path = path
        self.renewal = LeaseRenewal(lease, on_progress)

    def execute(self) -> None:
        opened = source_opened(name=self.filename, stored=self.row.file, path=self.path, manner=self.options.manner)
        try:
            with self.renewal, opened as source, staging_tables():
                plan = prepare(self, source)
                self.stage_all(plan, source)
                self.write_all(plan)
        except Rejected:
            self.reject()
        except Unreadable as error:
            self.reject(error.bad)
        except Invalid as error:
            self.fail(str(error))
        except SplitterMissing as error:
            self.reject(self.fault(str(error), "splitter"))
        except DataError as error:
            self.fail(f"The database cannot hold a value of the file: {error}")

    def fail(self, reason: str) -> None:
        self.reject(self.fault(reason))

    def stage_all(self, plan: Plan, source: Source) -> None:
        self.sha256 = source.sha256()
        self.splitter = Splitter(self.options.splitter) if plan.needs_bounds else None
        rows = read_rows(source, self.format)
        read_all(self, plan, rows, lambda count: self.renewal.show("reading", READING_SHARE * source.fraction(), count))

    def write_all(self, plan: Plan) -> None:
        """Write the corpus in one transaction. Raises Rejected, Unreadable, LeaseLost."""
        show, project_id = self.renewal.show, self.row.project_id
        with transaction.atomic():
            project_lock(project_id)
            show("checking", READING_SHARE, self.rows)
            whole_check(self)
            if self.faults.count and not self.options.skip_bad_lines:
                raise Rejected
            counts = counts_of_staged() | {"order": order_stage()}
            if not counts["items"]:
                raise Unreadable(nothing_left(self))
            for done, step in enumerate(STATEMENTS):
                show(step, READING_SHARE + (1 - READING_SHARE) * done / len(STATEMENTS), self.rows)
                write(step, project_id=project_id, source_id=self.row.pk, makes_sentences=plan.makes_sentences)
            self.close(Import.State.DONE, self.report(counts, done=True))
            analyze(Document, Utterance, Item, SourceDocument, ItemSource, ImportedSpans)

    @transaction.atomic
    def reject(self, bad: BadLine | None = None) -> None:
        """Record that nothing was imported. Raises LeaseLost."""
        if bad is not None:
            self.stop(bad)
        self.close(Import.State.FAILED, self.report(NOTHING, done=False))

    def close(self, state: str, report: dict[str, Any]) -> None:
        """Write the end of the import. The upload goes once this is committed. Raises LeaseLost."""
        done = state == Import.State.DONE
        fraction = 1.0 if done else self.renewal.progress["fraction"]
        progress = {"step": state, "fraction": fraction, "rows": self.rows}
        row = self.lease.end(state, format=self.format, report=report, progress=progress)
        event_write(
            verb="import_done" if done else "import_failed",
            project=self.project,
            actor_id=row.created_by_id,
            subject=row.uuid,
            items=report["items"],
            n_errors=report["n_errors"],
        )
        if row.file:
            transaction.on_commit(partial(default_storage.delete, row.file))

    @classmethod
    def waiting(cls) -> list[tuple[int, int]]:
        """Return the waiting uploads. An import of the command line whose process is gone is failed here."""
        for abandoned in Import.waiting().filter(file=""):
            if (lease := Import.take(abandoned.pk)) is not None:
                cls(abandoned, lease).fail("The command stopped.")
        return super().waiting()
