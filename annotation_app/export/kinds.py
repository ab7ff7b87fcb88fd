"""The kinds of export: one writer a file, named here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.lines import json_line, text_line
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.writers import aggregated, annotations, conll, spans, targets, text, webannotation


@dataclass(frozen=True)
class Format:
    """`line` makes one line of the file from a record; `media_type` is UTF-8 text."""

    name: str
    media_type: str
    line: Callable[[Any], bytes]


JSONL = Format("jsonl", "application/x-ndjson", json_line)
CONLL = Format("conll", "text/plain", text_line)
FORMATS = (JSONL.name, CONLL.name)


@dataclass(frozen=True)
class Kind:
    """`total` is how many records `records` gives from the same snapshot; each is a line."""

    total: Callable[[Snapshot, Asked], int]
    records: Callable[[Snapshot, Asked], Iterator[Any]]
    format: Format = JSONL


KINDS = {
    "aggregated": Kind(aggregated.total, aggregated.records),
    "annotations": Kind(annotations.total, annotations.records),
    "spans": Kind(spans.total, spans.records),
    "text": Kind(spans.total, text.records),
    "targets": Kind(targets.total, targets.records),
    "conll": Kind(conll.total, conll.records, CONLL),
    "webannotation": Kind(webannotation.total, webannotation.records),
}
