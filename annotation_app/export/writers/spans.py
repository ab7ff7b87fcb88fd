"""Write kind `spans`: one line for each person and item, the text with its spans beside it."""

import hashlib
from collections.abc import Iterator
from typing import Any

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import about, source_record, span_record, span_rows


def total(snapshot: Snapshot, options: ExportOptions) -> int:
    """Count the persons and items."""
    return sum(1 for _ in span_rows(snapshot, options))


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield records that an import of marked texts, and `linearize`, can read too."""
    for marked in span_rows(snapshot, options, source_texts=True):
        text = marked.row.text
        yield about(marked, names=options.names) | {
            "speaker": marked.row.speaker,
            "position": marked.row.position,
            "text": text,
            "text_sha256": sha256_of(text),
            "spans": [span_record(text, span) for span in marked.spans],
            "sources": [source_record(source) for source in marked.sources],
        }


def sha256_of(text: str) -> str:
    """Return the SHA-256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()
