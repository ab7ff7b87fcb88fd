"""Write kind `text`: one line for each person and item, the whole item in text form."""

from collections.abc import Iterator
from typing import Any

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import about, span_rows
from annotation_app.export.spans.linear_form import linear_form
from annotation_app.export.writers.spans import sha256_of


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield records; `text_sha256` is that of the item's text, which reading the text form gives back."""
    for marked in span_rows(snapshot, options):
        yield about(marked, names=options.names) | {
            "text_sha256": sha256_of(marked.row.text),
            "style": options.style,
            "categories": {category.marker: category.key for category in marked.layer.categories},
            "linear": linear_form(marked.row.text, marked.spans, marked.layer, options.style),
        }
