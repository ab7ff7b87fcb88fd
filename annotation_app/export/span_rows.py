"""Read marked items, a row a person and item: annotators' current spans, and validated spans."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from annotation_app.codebook.spans import SpanLayer
from annotation_app.db.statement import statement
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.statements import SQL

# Rows carry whole documents.
AT_ONCE = 20


class SourceText(NamedTuple):
    """Hold a source document of an item. `text` is None where texts were not requested."""

    id: str
    uuid: str
    title: str
    text: str | None


class MarkedItemRow(NamedTuple):
    """Hold a row of the statement: one person's spans, or the validated ones, of one item."""

    item: str
    item_uuid: UUID
    text: str
    document: str
    title: str
    speaker: str
    position: int
    round: int
    codebook_id: int
    state: str
    number: int | None
    username: str | None
    uuid: UUID
    created_at: datetime
    spans: str
    sources: str
    left_out: str | None
    meta: str


@dataclass(frozen=True)
class MarkedItem:
    """Hold one person's spans of one item, in text order. Rows in the state `validated` name nobody."""

    row: MarkedItemRow
    layer: SpanLayer
    codebook_version: int

    @cached_property
    def spans(self) -> list[ExportedSpan]:
        return spans_of(self.row.spans)

    @cached_property
    def sources(self) -> list[SourceText]:
        return [SourceText(*values) for values in json.loads(self.row.sources)]


def spans_of(stored: str) -> list[ExportedSpan]:
    """Parse [[start, end, category, comment, source], ...] from JSON; an empty comment is none."""
    return [
        ExportedSpan(start, end, category, comment or None, source)
        for start, end, category, comment, source in json.loads(stored)
    ]


def span_rows(snapshot: Snapshot, options: ExportOptions, *, source_texts: bool = False) -> Iterator[MarkedItem]:
    """Yield marked items by round and rank; of one item the annotators by number, then the validated one."""
    layers = span_layers(snapshot, options)
    parameters = {
        "project": options.project.pk,
        "of": options.of,
        "source_texts": source_texts,
        "layered": list(layers),
    }
    for values in snapshot.rows(statement([], SQL / "span_rows.sql"), parameters, at_once=AT_ONCE):
        row = MarkedItemRow(*values)
        version, layer = layers[row.codebook_id]
        yield MarkedItem(row, layer, version)


def span_layers(snapshot: Snapshot, options: ExportOptions) -> dict[int, tuple[int, SpanLayer]]:
    """Return (version, span layer) by codebook id, of the versions that have a layer."""
    found = snapshot.codebooks(options.project).items()
    return {pk: (version, book.span_layer) for pk, (version, book) in found if book.span_layer is not None}


def about(marked: MarkedItem, *, names: bool) -> dict[str, Any]:
    """Return the keys that every line begins with.

    `id` repeats `item_id` under the name that imports and the text form look for. `left_out` is an admin's reason for
    leaving the item out of the pool, as in the exports of labels.
    """
    row = marked.row
    pseudonym = f"annotator {row.number}" if row.number is not None else None
    return {
        "id": row.item,
        "item_id": row.item,
        "document": {"id": row.document, "title": row.title},
        "round": row.round,
        "annotator": row.username if names else pseudonym,
        "state": row.state,
        "codebook_version": marked.codebook_version,
        "left_out": row.left_out,
        **imported(row.meta),
    }


def imported(stored: str) -> dict[str, Any]:
    """Return all imported columns of document, turn and item as `meta`; nothing where there were none."""
    meta = json.loads(stored)
    return {"meta": meta} if meta else {}


def span_record(text: str, span: ExportedSpan) -> dict[str, Any]:
    """Return a span as exports write it, with the words that it covers in `text`."""
    return {
        "start": span.start,
        "end": span.end,
        "quote": text[span.start : span.end],
        "category": span.category,
        "comment": span.comment,
        "source": span.source,
    }


def source_record(source: SourceText) -> Mapping[str, Any]:
    """Return a source document as records have it."""
    return {"id": source.id, "title": source.title, "text": source.text}
