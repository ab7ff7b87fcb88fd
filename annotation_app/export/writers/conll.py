"""Kind `conll`: CoNLL-U Plus, a token a line and a column a category. Its records are lines of text."""

from collections.abc import Iterator

from annotation_app.export.asked import Asked
from annotation_app.export.marked_rows import Marked, about, marked_rows, span_layers
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.spans.columns import Columns, Losses, columns_of
from annotation_app.export.spans.conll import block, head
from annotation_app.export.writers.spans import sha256_of


def total(snapshot: Snapshot, asked: Asked) -> int:
    return sum(1 for _ in records(snapshot, asked))


def records(snapshot: Snapshot, asked: Asked) -> Iterator[str]:
    """The head first, which counts what is lost: so the rows are read twice, from one snapshot."""
    categories = marker_names(snapshot, asked)
    losses, texts = Losses(), 0
    for marked in marked_rows(snapshot, asked):
        losses.add(columns(marked).losses)
        texts += 1
    yield from head(categories, losses, texts)
    for marked in marked_rows(snapshot, asked):
        said = about(marked, names=asked.names) | {"text_sha256": sha256_of(marked.row.text)}
        del said["id"]
        yield from block(said, marked.row.text, columns(marked), list(categories))


def columns(marked: Marked) -> Columns:
    return columns_of(marked.row.text, marked.spans, marked.layer.keys)


def marker_names(snapshot: Snapshot, asked: Asked) -> dict[str, str]:
    """{key: marker} over all versions of the codebook, the newest one's first and in its words."""
    names: dict[str, str] = {}
    for _, layer in sorted(span_layers(snapshot, asked).values(), key=lambda found: -found[0]):
        for category in layer.categories:
            names.setdefault(category.key, category.marker)
    return names
