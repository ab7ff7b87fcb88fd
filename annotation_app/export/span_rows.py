"""What was marked, out of the database, a row a person and item: annotators' current spans and validated ones."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from annotation_app.aggregation.statements import read
from annotation_app.codebook.spans import SpanLayer
from annotation_app.export.asked import Asked
from annotation_app.export.snapshot import SQL, Snapshot
from annotation_app.export.spans.marked import MarkedSpan

# Rows carry whole documents.
AT_ONCE = 20


class SourceText(NamedTuple):
    """A source document of an item. `text` is None where texts were not asked for."""

    id: str
    uuid: str
    title: str
    text: str | None


class Row(NamedTuple):
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
class Marked:
    """One person's spans of one item, in text order. `state` is submitted, or validated: then nobody is named."""

    row: Row
    layer: SpanLayer
    codebook_version: int

    @cached_property
    def spans(self) -> list[MarkedSpan]:
        return spans_of(self.row.spans)

    @cached_property
    def sources(self) -> list[SourceText]:
        return [SourceText(*values) for values in json.loads(self.row.sources)]


def spans_of(stored: str) -> list[MarkedSpan]:
    """From [[start, end, category, comment, source], ...] as JSON; an empty comment is none."""
    return [
        MarkedSpan(start, end, category, comment or None, source)
        for start, end, category, comment, source in json.loads(stored)
    ]


def marked_rows(snapshot: Snapshot, asked: Asked, *, source_texts: bool = False) -> Iterator[Marked]:
    """In the order of round and rank; of one item annotators by number, then the validated one."""
    layers = span_layers(snapshot, asked)
    parameters = {
        "project": asked.project.pk,
        "of": asked.of,
        "source_texts": source_texts,
        "layered": list(layers),
    }
    for values in snapshot.rows(read(SQL / "marked.sql"), parameters, at_once=AT_ONCE):
        row = Row(*values)
        version, layer = layers[row.codebook_id]
        yield Marked(row, layer, version)


def span_layers(snapshot: Snapshot, asked: Asked) -> dict[int, tuple[int, SpanLayer]]:
    """(version, layer) by id of the codebook versions that have one."""
    found = snapshot.codebooks(asked.project).items()
    return {pk: (version, book.span_layer) for pk, (version, book) in found if book.span_layer is not None}


def about(marked: Marked, *, names: bool) -> dict[str, Any]:
    """Give what every line says first. `id` is `item_id`, under the name that an import and the text form look for.

    `left_out` is why an admin left the item out of the pool, as in the exports of labels.
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
    """`meta`: all that was imported beside the text, of document, turn and item; nothing where there was nothing."""
    meta = json.loads(stored)
    return {"meta": meta} if meta else {}


def span_record(text: str, span: MarkedSpan) -> dict[str, Any]:
    """A span as exports write it, with its words in `text`."""
    return {
        "start": span.start,
        "end": span.end,
        "quote": text[span.start : span.end],
        "category": span.category,
        "comment": span.comment,
        "source": span.source,
    }


def source_record(source: SourceText) -> Mapping[str, Any]:
    return {"id": source.id, "title": source.title, "text": source.text}
