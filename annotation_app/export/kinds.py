"""The kinds of export: one writer a file, named here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.writers import aggregated, annotations


@dataclass(frozen=True)
class Kind:
    """`total` is how many records `records` gives from the same snapshot."""

    total: Callable[[Snapshot, Asked], int]
    records: Callable[[Snapshot, Asked], Iterator[dict[str, Any]]]


KINDS = {
    "aggregated": Kind(aggregated.total, aggregated.records),
    "annotations": Kind(annotations.total, annotations.records),
}
FORMATS = ("jsonl",)
