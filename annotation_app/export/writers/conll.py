"""Kind `conll`: CoNLL-U Plus, a token a line and a column a category. Its records are lines of text."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.marked_rows import Marked, about, marked_rows, span_layers
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.spans.columns import Columns, Losses, columns_of
from annotation_app.export.spans.conll import block, head, height
from annotation_app.export.writers.spans import sha256_of


def read(snapshot: Snapshot, asked: Asked) -> tuple[int, Iterator[str]]:
    """The rows are read twice: the head, which comes first, counts what is lost."""
    categories = marker_names(snapshot, asked)
    losses, texts, lines = Losses(), 0, 0
    for marked in marked_rows(snapshot, asked):
        found = columns(marked)
        losses.add(found.losses)
        texts += 1
        lines += height(said_of(marked, asked), found)
    first = head(categories, losses, texts)
    return len(first) + lines, chain(first, records(snapshot, asked, list(categories)))


def records(snapshot: Snapshot, asked: Asked, categories: Sequence[str]) -> Iterator[str]:
    for marked in marked_rows(snapshot, asked):
        yield from block(said_of(marked, asked), marked.row.text, columns(marked), categories)


def said_of(marked: Marked, asked: Asked) -> dict[str, Any]:
    said = about(marked, names=asked.names) | {"text_sha256": sha256_of(marked.row.text)}
    del said["id"]
    return said


def columns(marked: Marked) -> Columns:
    return columns_of(marked.row.text, marked.spans, marked.layer.keys)


def marker_names(snapshot: Snapshot, asked: Asked) -> dict[str, str]:
    """{key: marker} over all versions of the codebook, the newest one's first and in its words."""
    names: dict[str, str] = {}
    for _, layer in sorted(span_layers(snapshot, asked).values(), key=lambda found: -found[0]):
        for category in layer.categories:
            names.setdefault(category.key, category.marker)
    return names
