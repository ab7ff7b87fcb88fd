"""Write a span as a W3C Web Annotation in JSON-LD.

Pure: no I/O. It follows the Web Annotation Data Model, Recommendation of 23 February 2017. Positions are Unicode code
points in the logical order of the text, as its section 4.2.4 demands: the product's own offsets, unchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from annotation_app.export.lines import plain
from annotation_app.export.spans.linear_form import ExportedSpan

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


def web_annotation(about: Described, place: int, span: ExportedSpan, tag: str) -> dict[str, Any]:
    """Return the annotation.

    `place` is the span's number in its revision; both make the IRI. `tag` names the category.
    """
    return {
        "@context": CONTEXT,
        "id": uuid5(about.uuid, f"span {place}").urn,
        "type": "Annotation",
        "motivation": "tagging",
        **({"creator": {"type": "Person", "nickname": about.creator}} if about.creator else {}),
        "created": about.created,
        "body": bodies(about, span, tag),
        "target": {"type": "SpecificResource", "source": annotated(about), "selector": selectors(about.text, span)},
        "schema:creativeWorkStatus": about.state,
        "schema:isPartOf": {"schema:name": "round", "schema:position": about.round},
        "schema:schemaVersion": about.codebook_version,
    }


def bodies(about: Described, span: ExportedSpan, tag: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [textual(tag, "tagging") | {"schema:identifier": span.category}]
    if span.comment is not None:
        found.append(textual(span.comment, "commenting"))
    if span.source is not None:
        found.append({"type": "SpecificResource", "purpose": "linking", "source": about.sources[span.source]})
    return found


def textual(value: str, purpose: str) -> dict[str, Any]:
    return {"type": "TextualBody", "value": value, "format": "text/plain", "purpose": purpose}


def resource(uuid: UUID, external_id: str, **more: Any) -> dict[str, Any]:
    """Describe a text of this project: its UUID as IRI, and its imported id."""
    return {"id": uuid.urn, "type": "Text", "format": "text/plain", "schema:identifier": external_id, **more}


def annotated(about: Described) -> dict[str, Any]:
    document = {"schema:identifier": about.document["id"], "schema:name": about.document["title"]}
    more: dict[str, Any] = {"schema:sha256": about.text_sha256, "schema:isPartOf": document}
    if about.left_out is not None:
        more |= {"schema:creativeWorkStatus": "left_out", "schema:description": about.left_out}
    if about.meta:
        more["schema:additionalProperty"] = [property_value(name, value) for name, value in about.meta.items()]
    return resource(about.item_uuid, about.item, **more)


def property_value(name: str, value: Any) -> dict[str, Any]:
    """Return an imported column; nested values are JSON text, since JSON-LD would read them as terms."""
    return {"type": "schema:PropertyValue", "schema:name": name, "schema:value": plain(value)}


def selectors(text: str, span: ExportedSpan) -> list[dict[str, Any]]:
    return [
        {
            "type": "TextQuoteSelector",
            "exact": text[span.start : span.end],
            "prefix": text[max(span.start - AROUND, 0) : span.start],
            "suffix": text[span.end : span.end + AROUND],
        },
        {"type": "TextPositionSelector", "start": span.start, "end": span.end},
    ]
