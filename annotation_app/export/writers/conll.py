"""Write kind `conll`: CoNLL-U Plus, a token a line and a column a category. Its records are lines of text."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, span_layers, span_rows
from annotation_app.export.spans.columns import Columns, Losses, columns_of
from annotation_app.export.spans.conll import block, head, height
from annotation_app.export.writers.spans import sha256_of


def read(snapshot: Snapshot, options: ExportOptions) -> tuple[int, Iterator[str]]:
    """Read the rows twice, because the head, which comes first, counts what is lost."""
    categories = marker_names(snapshot, options)
    losses, texts, lines = Losses(), 0, 0
    for marked in span_rows(snapshot, options):
        found = columns(marked)
        losses.add(found.losses)
        texts += 1
        lines += height(said_of(marked, options), found)
    first = head(categories, losses, texts)
    return len(first) + lines, chain(first, records(snapshot, options, list(categories)))


def records(snapshot: Snapshot, options: ExportOptions, categories: Sequence[str]) -> Iterator[str]:
    for marked in span_rows(snapshot, options):
        yield from block(said_of(marked, options), marked.row.text, columns(marked), categories)


def said_of(marked: MarkedItem, options: ExportOptions) -> dict[str, Any]:
    said = about(marked, names=options.names) | {"text_sha256": sha256_of(marked.row.text)}
    del said["id"]
    return said


def columns(marked: MarkedItem) -> Columns:
    return columns_of(marked.row.text, marked.spans, marked.layer.keys)


def marker_names(snapshot: Snapshot, options: ExportOptions) -> dict[str, str]:
    """Return {key: marker} over all versions of the codebook, the newest one's first and in its words."""
    names: dict[str, str] = {}
    for _, layer in sorted(span_layers(snapshot, options).values(), key=lambda found: -found[0]):
        for category in layer.categories:
            names.setdefault(category.key, category.marker)
    return names
