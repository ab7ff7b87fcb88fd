"""Write kind `webannotation`: one W3C Web Annotation for each span, one JSON-LD document a line."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, span_rows
from annotation_app.export.spans.web_annotation import Described, resource, web_annotation
from annotation_app.export.times import utc
from annotation_app.export.writers.spans import sha256_of


def total(snapshot: Snapshot, options: ExportOptions) -> int:
    return sum(len(marked.spans) for marked in span_rows(snapshot, options))


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield the annotations; an item without spans has none."""
    for marked in span_rows(snapshot, options):
        described = described_of(marked, names=options.names)
        for place, span in enumerate(marked.spans):
            yield web_annotation(described, place, span, marked.layer.by_key[span.category].name)


def described_of(marked: MarkedItem, *, names: bool) -> Described:
    row, said = marked.row, about(marked, names=names)
    return Described(
        uuid=row.uuid,
        item_uuid=row.item_uuid,
        item=row.item,
        document=said["document"],
        text=row.text,
        text_sha256=sha256_of(row.text),
        sources={
            source.id: resource(UUID(source.uuid), source.id, **{"schema:name": source.title})
            for source in marked.sources
        },
        creator=said["annotator"],
        created=utc(row.created_at),
        state=row.state,
        round=row.round,
        codebook_version=marked.codebook_version,
        meta=said.get("meta", {}),
        left_out=row.left_out,
    )
