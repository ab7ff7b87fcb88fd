"""Read a file's rows into the staging tables, and report all faults before anything is stored."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from al_worker.formats.words import COUNT_RULE
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.spans import SpanLayer
from annotation_app.ingest.checks import (
    duplicates_drop,
    duplicates_list,
    duplicates_tell,
    existing_count,
    existing_skip,
)
from annotation_app.ingest.delimited import DELIMITERS
from annotation_app.ingest.faults import BadLineList
from annotation_app.ingest.formats import format_of
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.order import BY
from annotation_app.ingest.plan import Plan
from annotation_app.ingest.rows import BadLine, Fault, ImportRow
from annotation_app.ingest.source import Source
from annotation_app.ingest.source_checks import sources_check
from annotation_app.ingest.splitter import Splits
from annotation_app.ingest.staging import BATCH_ROWS, batches, refused_stage, stage
from annotation_app.ingest.stand_off import row_fitted
from annotation_app.models import Project
from annotation_app.projects.services import published_codebook

MOST_COLUMNS = 200
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
    "encoding": None,
    "delimiter": None,
    "sheet": None,
    "sheets": [],
    "columns": [],
    "mapping": [],
    "existing": 0,
    "skippable": False,
    "order": dict.fromkeys((*BY, "moved", "incomplete"), 0),
}


class Reading:
    """Hold what is known of a file while it is read and checked. `in_project` counts rows whose ids the project has."""

    def __init__(self, project: Project, filename: str, options: ImportOptions) -> None:
        self.project = project
        self.filename = filename
        self.options = options
        self.faults = BadLineList()
        self.refused: list[BadLine] = []
        self.format = options.format
        self.plan: Plan | None = None
        self.layer: SpanLayer | None = None
        self.splitter: Splits | None = None
        self.sha256 = ""
        self.source: Source | None = None
        # How many spans have each label of the file, before any becomes a category or is left out.
        self.labels: Counter[str] = Counter()
        self.in_project = 0
        self.existing = 0
        # By what no skipping of lines mends.
        self.stopped = False
        self.rows = 0
        self.data_file = filename
        self.started = time.monotonic()

    def fault(self, message: str, field: str | None = None) -> BadLine:
        """Note a fault of the whole file."""
        return BadLine(self.filename, None, field, message)

    def stop(self, bad: BadLine) -> None:
        self.stopped = True
        self.faults.add(bad)

    def report(self, counts: dict[str, Any], *, done: bool) -> dict[str, Any]:
        """Return the report (docs/develop/api/projects.md), which holds what makes the import repeatable."""
        limits = self.plan.limits if self.plan else None
        return {
            **counts,
            "rows": self.plan.rows if self.plan else None,
            "limits": {"min_tokens": limits[0], "max_tokens": limits[1]} if limits else None,
            "word_rule": COUNT_RULE if limits else None,
            "skipped_lines": self.faults.count if done and self.options.skip_bad_lines else 0,
            "splitter": self.splitter.record() if self.splitter else None,
            "sha256": self.sha256,
            **read_as(self.source),
            "existing": self.existing if done else 0,
            "errors": self.faults.as_dicts(),
            "n_errors": self.faults.count,
            "skippable": self.faults.count > 0 and not self.stopped,
            "seconds": round(time.monotonic() - self.started, 2),
        }


def read_as(source: Source | None) -> dict[str, Any]:
    """Return how the file was read, and how that was known: encoding, delimiter, sheet, and the mapping of columns."""
    encoding = source.encoding if source else None
    return {
        "encoding": encoding and {"name": encoding.name, "how": encoding.how},
        "delimiter": source and next((name for name, sign in DELIMITERS.items() if sign == source.delimiter), None),
        "sheet": (source and source.sheet) or None,
        "sheets": source.sheets[:MOST_COLUMNS] if source else [],
        "columns": source.columns[:MOST_COLUMNS] if source else [],
        "mapping": [use._asdict() for use in source.mapping.uses] if source else [],
    }


def prepare(reading: Reading, source: Source) -> Plan:
    """Raise Unreadable for a file of another kind, Invalid where it does not go with the options."""
    reading.source = source
    reading.format = format_of(source, reading.options.format)
    reading.plan = reading.options.plan(reading.format)
    reading.layer = span_layer(reading.project)
    return reading.plan


def span_layer(project: Project) -> SpanLayer | None:
    """Return the span layer of the published codebook, which new batches take."""
    codebook = published_codebook(project)
    return codebook_of(codebook).span_layer if codebook else None


def read_all(reading: Reading, plan: Plan, rows: Iterable[ImportRow | BadLine], told: Callable[[int], None]) -> None:
    """Read to the end of `rows`, so that every bad line is counted. `told` hears how many rows are staged."""
    for batch in batches(good_rows(reading, plan, rows)):
        reading.data_file = batch[0].file
        for bad in stage(batch, plan, reading.splitter):
            refuse(reading, bad)
        reading.rows += len(batch)
        told(reading.rows)
    refused_flush(reading)


def good_rows(reading: Reading, plan: Plan, rows: Iterable[ImportRow | BadLine]) -> Iterator[ImportRow]:
    for row in rows:
        if isinstance(row, BadLine):
            refuse(reading, row)
            continue
        reading.labels.update(span.category for span in row.spans)
        try:
            yield row_fitted(row, plan, reading.layer, reading.options.categories)
        except Fault as fault:
            refuse(reading, fault.at(row.file, row.line, row.id))


def refuse(reading: Reading, bad: BadLine) -> None:
    """Refuse a row; where bad lines are skipped, the next row with its id may take that."""
    reading.faults.add(bad)
    if not reading.options.skip_bad_lines:
        reading.refused.append(bad)
    if len(reading.refused) >= BATCH_ROWS:
        refused_flush(reading)


def refused_flush(reading: Reading) -> None:
    refused_stage(reading.refused)
    reading.refused.clear()


def whole_check(reading: Reading) -> None:
    """Check what shows once all rows are there, inside the caller's transaction.

    With `skip_bad_lines` bad lines leave the staging tables.
    """
    project_id, skip = reading.project.pk, reading.options.skip_bad_lines
    duplicates_list(project_id=project_id)
    reading.in_project = existing_count()
    if reading.options.skip_existing:
        reading.existing = existing_skip()
    duplicates = duplicates_tell(file=reading.data_file, faults=reading.faults)
    if duplicates and skip:
        duplicates_drop()
    sources_check(project_id=project_id, file=reading.data_file, faults=reading.faults, skip=skip)


def nothing_left(reading: Reading) -> BadLine:
    if reading.existing:
        return reading.fault(f"Nothing is new: the project has the ids of all {reading.existing:,} rows already.")
    return reading.fault("No row is left to import.")
