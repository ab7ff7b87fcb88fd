"""Kind `text`: one line for each person and item, the whole item in text form."""

from collections.abc import Iterator
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.marked_rows import about, marked_rows
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.spans.marked import linear_form
from annotation_app.export.writers.spans import sha256_of


def records(snapshot: Snapshot, asked: Asked) -> Iterator[dict[str, Any]]:
    """`text_sha256` is that of the item's text, which reading the text form gives back."""
    for marked in marked_rows(snapshot, asked):
        yield about(marked, names=asked.names) | {
            "text_sha256": sha256_of(marked.row.text),
            "style": asked.style,
            "categories": {category.marker: category.key for category in marked.layer.categories},
            "linear": linear_form(marked.row.text, marked.spans, marked.layer, asked.style),
        }
