"""Write kind `annotations`: one line for each annotator and item, or for each revision."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from annotation_app.annotation.suggestions import has_suggestions
from annotation_app.codebook.stages import Codebook
from annotation_app.db.statement import statement
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import imported, span_record, spans_of
from annotation_app.export.statements import SQL
from annotation_app.export.times import utc


class AnnotationRow(NamedTuple):
    """Hold a row of the statement. Times are in milliseconds; columns of JSON are text."""

    item: str
    text: str
    round: int
    number: int
    username: str
    state: str
    revision: int
    is_current: bool
    answers: str
    comment: str
    skip_reason: str
    context_opened: str
    active_ms: int
    wall_ms: int
    created_at: datetime
    codebook_id: int
    spans: str
    phase: int
    left_out: str | None
    meta: str
    suggestion_mode: str | None
    suggestion_system: str | None
    suggestion_evaluation: int | None
    suggestion_shown: bool


# Keys of an annotation in a project whose batches have shown suggestions of a model.
SUGGESTED = ("suggestion_mode", "suggestion_system", "suggestion_evaluation", "suggestion_shown")


def total(snapshot: Snapshot, options: ExportOptions) -> int:
    """Count the annotations, or the revisions."""
    return int(snapshot.value(statement([], SQL / "annotations_total.sql"), parameters(options)))


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield the records in the order of round, phase, rank, annotator, revision."""
    return (each for each, _ in records_and_answers(snapshot, options))


def records_and_answers(
    snapshot: Snapshot, options: ExportOptions
) -> Iterator[tuple[dict[str, Any], Mapping[str, str]]]:
    """Yield each record with its answers by stage as they are stored.

    They come in the order of round, phase, rank, annotator, revision.
    """
    codebooks = snapshot.codebooks(options.project)
    suggested = SUGGESTED if has_suggestions(options.project) else ()
    for values in snapshot.rows(statement([], SQL / "annotations.sql"), parameters(options)):
        row = AnnotationRow(*values)
        version, codebook = codebooks[row.codebook_id]
        spans = {"spans": [span_record(row.text, span) for span in spans_of(row.spans)]} if codebook.span_layer else {}
        told = {name: getattr(row, name) for name in suggested}
        answers = json.loads(row.answers)
        made = record(row, answers, version, codebook, names=options.names) | told | spans | imported(row.meta)
        yield made, answers


def parameters(options: ExportOptions) -> dict[str, Any]:
    """Return what the statements are bound to."""
    return {"project": options.project.pk, "all_revisions": options.revisions == "all"}


def record(
    row: AnnotationRow, answers: Mapping[str, str], version: int, codebook: Codebook, *, names: bool
) -> dict[str, Any]:
    """Return the record of one revision. `phase` is 2 for an answer of a second look.

    `state` is the assignment's: surplus answers count in no majority and no agreement, skipped ones are empty.
    """
    return {
        "item_id": row.item,
        "text": row.text,
        "round": row.round,
        "phase": row.phase,
        "annotator": row.username if names else f"annotator {row.number}",
        "state": row.state,
        "answers": in_order(codebook, answers),
        "comment": row.comment,
        "skip_reason": row.skip_reason,
        "context_opened": row.context_opened,
        "active_ms": row.active_ms,
        "wall_ms": row.wall_ms,
        "created_at": utc(row.created_at),
        "codebook_version": version,
        "revision": row.revision,
        "is_current": row.is_current,
        "left_out": row.left_out,
    }


def in_order(codebook: Codebook, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the answers in the codebook's order, each as its type exports it."""
    return {each.key: each.exported(answers[each.key]) for each in codebook.stages if each.key in answers}
