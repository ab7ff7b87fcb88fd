"""Write kind `webannotation`: one W3C Web Annotation for each span, one JSON-LD document a line.

It follows the Web Annotation Data Model, Recommendation of 23 February 2017. Positions are Unicode code points in the
logical order of the text, as its section 4.2.4 demands: the product's own offsets, unchanged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from annotation_app.export.lines import plain
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, span_rows
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.times import utc
from annotation_app.export.writers.spans import sha256_of

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32


@dataclass(frozen=True)
class Described:
    """Describe what the annotation is about and whose it is.

    `sources` is {external id: its resource}. `uuid` is that of the decision or revision that the span belongs to.
    `creator` is a pseudonym or None. `left_out` is an admin's reason for leaving the item out, or None. `meta` are the
    imported columns.
    """

    uuid: UUID
    item_uuid: UUID
    item: str
    document: Mapping[str, str]
    text: str
    text_sha256: str
    sources: Mapping[str, Mapping[str, Any]]
    creator: str | None
    created: str
    state: str
    round: int
    codebook_version: int
    left_out: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


def total(snapshot: Snapshot, options: ExportOptions) -> int:
    """Count the spans."""
    return sum(len(marked.spans) for marked in span_rows(snapshot, options))


def records(snapshot: Snapshot, options: ExportOptions) -> Iterator[dict[str, Any]]:
    """Yield the annotations; an item without spans has none."""
    for marked in span_rows(snapshot, options):
        described = described_of(marked, names=options.names)
        for place, span in enumerate(marked.spans):
            yield web_annotation(described, place, span, marked.layer.by_key[span.category].name)


def described_of(marked: MarkedItem, *, names: bool) -> Described:
    """Return what all annotations of one item share."""
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


def web_annotation(described: Described, place: int, span: ExportedSpan, tag: str) -> dict[str, Any]:
    """Return the annotation.

    `place` is the span's number in its revision; both make the IRI. `tag` names the category.
    """
    return {
        "@context": CONTEXT,
        "id": uuid5(described.uuid, f"span {place}").urn,
        "type": "Annotation",
        "motivation": "tagging",
        **({"creator": {"type": "Person", "nickname": described.creator}} if described.creator else {}),
        "created": described.created,
        "body": bodies(described, span, tag),
        "target": {
            "type": "SpecificResource",
            "source": annotated(described),
            "selector": selectors(described.text, span),
        },
        "schema:creativeWorkStatus": described.state,
        "schema:isPartOf": {"schema:name": "round", "schema:position": described.round},
        "schema:schemaVersion": described.codebook_version,
    }


def bodies(described: Described, span: ExportedSpan, tag: str) -> list[dict[str, Any]]:
    """Return the bodies of an annotation: the category as a tag, the comment, the source as a link."""
    found: list[dict[str, Any]] = [textual(tag, "tagging") | {"schema:identifier": span.category}]
    if span.comment is not None:
        found.append(textual(span.comment, "commenting"))
    if span.source is not None:
        found.append({"type": "SpecificResource", "purpose": "linking", "source": described.sources[span.source]})
    return found


def textual(value: str, purpose: str) -> dict[str, Any]:
    """Return a body of plain text."""
    return {"type": "TextualBody", "value": value, "format": "text/plain", "purpose": purpose}


def resource(uuid: UUID, external_id: str, **more: Any) -> dict[str, Any]:
    """Describe a text of this project: its UUID as IRI, and its imported id."""
    return {"id": uuid.urn, "type": "Text", "format": "text/plain", "schema:identifier": external_id, **more}


def annotated(described: Described) -> dict[str, Any]:
    """Return the item as the target of its annotations, with what it is part of."""
    document = {"schema:identifier": described.document["id"], "schema:name": described.document["title"]}
    more: dict[str, Any] = {"schema:sha256": described.text_sha256, "schema:isPartOf": document}
    if described.left_out is not None:
        more |= {"schema:creativeWorkStatus": "left_out", "schema:description": described.left_out}
    if described.meta:
        more["schema:additionalProperty"] = [property_value(name, value) for name, value in described.meta.items()]
    return resource(described.item_uuid, described.item, **more)


def property_value(name: str, value: Any) -> dict[str, Any]:
    """Return an imported column; nested values are JSON text, since JSON-LD would read them as terms."""
    return {"type": "schema:PropertyValue", "schema:name": name, "schema:value": plain(value)}


def selectors(text: str, span: ExportedSpan) -> list[dict[str, Any]]:
    """Return the selectors of a span: its quote with the words around it, and its code points."""
    return [
        {
            "type": "TextQuoteSelector",
            "exact": text[span.start : span.end],
            "prefix": text[max(span.start - AROUND, 0) : span.start],
            "suffix": text[span.end : span.end + AROUND],
        },
        {"type": "TextPositionSelector", "start": span.start, "end": span.end},
    ]
