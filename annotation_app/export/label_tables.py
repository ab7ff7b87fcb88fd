"""Flatten aggregated labels and answers to tables, for CSV and Excel.

Columns are the same in every row: those of each stage of each codebook version, and of each imported column.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from annotation_app.aggregation.rules import Aggregated
from annotation_app.annotation.suggestions import has_suggestions
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.db.statement import statement
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.statements import SQL
from annotation_app.export.writers import aggregated, annotations

Cells = list[Any]
# No label key has this character.
SET_JOINT = "|"
Codebooks = Mapping[int, Codebook]
ITEM = ("id", "text", "speaker", "document_id", "document_title", "round", "complete", "left_out", "codebook_version")
STAGE = ("label", "name", "state", "n_answers", "votes", "source")
# Beside those, where a version of the stage is answered with numbers.
OF_NUMBERS = ("median",)
ANSWER = (
    *("item_id", "text", "round", "phase", "annotator", "state", "stage", "stage_title", "label", "label_name"),
    *("comment", "skip_reason", "context_opened", "active_ms", "wall_ms", "created_at", "codebook_version", "revision"),
    *("is_current", "left_out"),
)


def item_rows(snapshot: Snapshot, options: ExportOptions) -> Iterator[Cells]:
    """Yield the header, then a row an item.

    A stage has the label's key and name, the state (majority, adjudicated, no_majority, ...) and the number of answers.
    It also has the votes by label as JSON, the source of an adjudicated label, and the median of numbers.
    """
    books = versions(snapshot, options)
    numbers = {stage.key for book in books.values() for stage in book.stages if stage.is_number}
    keys = dict.fromkeys(key for book in books.values() for key in book.stage_keys)
    stages = {key: (*STAGE, *(OF_NUMBERS if key in numbers else ())) for key in keys}
    meta = meta_keys(snapshot, options)
    yield [*ITEM, *(f"{stage}_{part}" for stage, parts in stages.items() for part in parts), *meta_names(meta)]
    for record, outcomes in aggregated.records_and_outcomes(snapshot, options):
        book = books[record["codebook_version"]]
        document = record["document"]
        flat = record | {"document_id": document["id"], "document_title": document["title"]}
        told = {key: stage_cells(record["labels"].get(key), outcomes.get(key), book.by_key.get(key)) for key in keys}
        cells = (told[key][part] for key, parts in stages.items() for part in parts)
        yield [*(flat[name] for name in ITEM), *cells, *picked(record, meta)]


def answers_total(snapshot: Snapshot, options: ExportOptions) -> int:
    """Count the rows below the header of the table of answers."""
    return int(snapshot.value(statement([], SQL / "answers_total.sql"), annotations.parameters(options)))


def answer_rows(snapshot: Snapshot, options: ExportOptions) -> Iterator[Cells]:
    """Yield the header, then a row an answer; an item without answers has one row without a stage.

    Comment, skip reason, context and times belong to the whole annotation, and stand in each of its rows.
    """
    books = versions(snapshot, options)
    meta = meta_keys(snapshot, options)
    columns = (*ANSWER, *(annotations.SUGGESTED if has_suggestions(options.project) else ()))
    yield [*columns, *meta_names(meta)]
    for record, stored in annotations.records_and_answers(snapshot, options):
        book = books[record["codebook_version"]]
        for key, label in record["answers"].items() or [(None, None)]:
            stage = book.by_key[key] if key else None
            said = {
                "stage": key,
                "stage_title": stage.title if stage else None,
                "label": cell_of(label),
                "label_name": stage.name_of(stored[stage.key]) if stage else None,
            }
            flat = record | said
            yield [*(flat[name] for name in columns), *picked(record, meta)]


class Table(NamedTuple):
    """Describe a table; `total` counts the rows below the header, which `rows` yields first."""

    total: Callable[[Snapshot, ExportOptions], int]
    rows: Callable[[Snapshot, ExportOptions], Iterator[Cells]]


ITEMS = Table(aggregated.total, item_rows)
ANSWERS = Table(answers_total, answer_rows)


def versions(snapshot: Snapshot, options: ExportOptions) -> Codebooks:
    """Sort by version, newest first, so that its stages come first."""
    found = sorted(snapshot.codebooks(options.project).values(), key=lambda each: -each[0])
    return dict(found)


def stage_cells(said: Mapping[str, Any] | None, outcome: Aggregated | None, stage: Stage | None) -> dict[str, Any]:
    """Return the cells of a stage by their part, which the codebook of the item's batch may lack."""
    if said is None or outcome is None or stage is None:
        return dict.fromkeys((*STAGE, *OF_NUMBERS)) | {"state": "not_applicable", "n_answers": 0}
    return {
        "label": cell_of(said["label"]),
        "name": None if outcome.label is None else stage.name_of(outcome.label),
        "state": said["state"],
        "n_answers": sum(said["votes"].values()),
        "votes": said["votes"] or None,
        "source": said.get("source"),
        "median": said.get("median"),
    }


def cell_of(exported: Any) -> Any:
    """Return an exported answer as one cell: the labels of a set are joined by `|`."""
    return SET_JOINT.join(exported) if isinstance(exported, list) else exported


def meta_keys(snapshot: Snapshot, options: ExportOptions) -> list[str]:
    """Return the names of the imported columns of the project, sorted."""
    return [key for (key,) in snapshot.rows(statement([], SQL / "meta_keys.sql"), {"project": options.project.pk})]


def meta_names(keys: list[str]) -> list[str]:
    """Return the heads of the imported columns."""
    return [f"meta_{key}" for key in keys]


def picked(record: Mapping[str, Any], keys: list[str]) -> Cells:
    """Return the cells of the imported columns; what a record lacks is None."""
    return [record.get("meta", {}).get(key) for key in keys]
