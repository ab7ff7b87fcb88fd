"""Kind `spans`: one line for each person and item, the text with its spans beside it."""

import hashlib
from collections.abc import Iterator
from typing import Any

from annotation_app.export.asked import Asked
from annotation_app.export.marked_rows import about, marked_rows, source_record, span_record
from annotation_app.export.snapshot import Snapshot


def total(snapshot: Snapshot, asked: Asked) -> int:
    return sum(1 for _ in marked_rows(snapshot, asked))


def records(snapshot: Snapshot, asked: Asked) -> Iterator[dict[str, Any]]:
    """A line is also a line of an import of marked texts, and of what `linearize` reads."""
    for marked in marked_rows(snapshot, asked, source_texts=True):
        text = marked.row.text
        yield about(marked, names=asked.names) | {
            "speaker": marked.row.speaker,
            "position": marked.row.position,
            "text": text,
            "text_sha256": sha256_of(text),
            "spans": [span_record(text, span) for span in marked.spans],
            "sources": [source_record(source) for source in marked.sources],
        }


def sha256_of(text: str) -> str:
    """Of its UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
