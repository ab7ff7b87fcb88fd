"""Spans as Web Annotations: valid by the data model, in its terms, and what the selectors select is the span."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import jsonschema
import pytest

from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.writers.webannotation import Described, resource, web_annotation
from tests.export.layers import at

IRI = {"type": "string", "pattern": "^(urn:uuid:[0-9a-f-]{36}|https?://\\S+)$"}
RESOURCE = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": IRI,
        "type": {"enum": ["Dataset", "Image", "Video", "Sound", "Text"]},
        "format": {"type": "string", "pattern": "^[a-z]+/[a-z.+-]+$"},
    },
}
# Sections 3.1 to 3.3, 4.1, 4.2.4 and 4.2.5 of the Web Annotation Data Model (Recommendation of 23 February 2017), what
# they say with MUST, as far as it bears on annotations of this shape.
MODEL: dict[str, Any] = {
    "type": "object",
    "required": ["@context", "id", "type", "target"],
    "properties": {
        "@context": {"const": "http://www.w3.org/ns/anno.jsonld"},
        "id": IRI,
        "type": {"const": "Annotation"},
        "motivation": {"enum": ["tagging", "commenting", "linking"]},
        "created": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"},
        "creator": {
            "type": "object",
            "properties": {
                "type": {"enum": ["Person", "Organization", "Software"]},
                "nickname": {"type": "string"},
            },
        },
        "body": {
            "type": "array",
            "minItems": 1,
            "items": {
                "oneOf": [
                    {
                        "required": ["value", "purpose"],
                        "properties": {
                            "type": {"const": "TextualBody"},
                            "value": {"type": "string"},
                            "format": {"const": "text/plain"},
                            "purpose": {"enum": ["tagging", "commenting"]},
                        },
                    },
                    {
                        "required": ["source", "purpose"],
                        "properties": {
                            "type": {"const": "SpecificResource"},
                            "source": RESOURCE,
                            "purpose": {"const": "linking"},
                        },
                    },
                ]
            },
        },
        "target": {
            "type": "object",
            "required": ["source", "selector"],
            "properties": {
                "type": {"const": "SpecificResource"},
                "source": RESOURCE,
                "selector": {
                    "type": "array",
                    "items": {
                        "oneOf": [
                            {
                                "required": ["exact"],
                                "properties": {
                                    "type": {"const": "TextQuoteSelector"},
                                    "exact": {"type": "string", "minLength": 1},
                                    "prefix": {"type": "string"},
                                    "suffix": {"type": "string"},
                                },
                            },
                            {
                                "required": ["start", "end"],
                                "properties": {
                                    "type": {"const": "TextPositionSelector"},
                                    "start": {"type": "integer", "minimum": 0},
                                    "end": {"type": "integer", "minimum": 0},
                                },
                            },
                        ]
                    },
                },
            },
        },
    },
}
# Of the keys that the context defines, those that are used; any other one carries a prefix that it defines.
TERMS = {
    "@context", "id", "type", "motivation", "creator", "nickname", "created", "body", "target", "value", "format",
    "purpose", "source", "selector", "exact", "prefix", "suffix", "start", "end",
}  # fmt: skip

TEXT = "Nice 👩‍🔬 work 🎉: \u05d4\u05d1\u05e0\u05e7 cut\r\nrates, it said on Tuesday afternoon."
ABOUT = Described(
    uuid=UUID(int=1),
    item_uuid=UUID(int=2),
    item="news 1",
    document={"id": "news", "title": "News"},
    text=TEXT,
    text_sha256="ab",
    sources={"press": resource(UUID(int=3), "press", **{"schema:name": "Release"})},
    creator="annotator 2",
    created="2026-01-02T03:04:05Z",
    state="submitted",
    round=1,
    codebook_version=2,
)
CUT = at(TEXT, "cut\r\nrates", "act", "Did (cut)", "press")


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("creator", ["annotator 2", None])
@pytest.mark.parametrize(("comment", "source"), [(None, None), ("Did", None), (None, "press"), ("", "press")])
def test_it_is_valid_and_says_nothing_in_terms_of_its_own(
    creator: str | None, comment: str | None, source: str | None
) -> None:
    made = web_annotation(replace(ABOUT, creator=creator), 0, ExportedSpan(0, len(TEXT), "act", comment, source), "Act")
    jsonschema.validate(made, MODEL)
    assert {key for key in keys(made) if not key.startswith("schema:")} <= TERMS


def test_it_says_what_the_span_says() -> None:
    made = web_annotation(ABOUT, 4, CUT, "Act")
    assert made["creator"] == {"type": "Person", "nickname": "annotator 2"}
    assert [(body["type"], body["purpose"]) for body in made["body"]] == [
        ("TextualBody", "tagging"),
        ("TextualBody", "commenting"),
        ("SpecificResource", "linking"),
    ]
    assert [body.get("value") for body in made["body"]] == ["Act", "Did (cut)", None]
    assert made["body"][2]["source"]["id"] == "urn:uuid:00000000-0000-0000-0000-000000000003"
    assert made["target"]["source"] == {
        "id": "urn:uuid:00000000-0000-0000-0000-000000000002",
        "type": "Text",
        "format": "text/plain",
        "schema:identifier": "news 1",
        "schema:sha256": "ab",
        "schema:isPartOf": {"schema:identifier": "news", "schema:name": "News"},
    }


def test_positions_are_code_points_and_the_quote_stands_between_its_context() -> None:
    """The scientist is three code points, the party popper one; in UTF-16 the span would begin at 25."""
    quote, position = web_annotation(ABOUT, 4, CUT, "Act")["target"]["selector"]
    assert (position["start"], position["end"]) == (22, 32)
    assert quote == {
        "type": "TextQuoteSelector",
        "exact": "cut\r\nrates",
        "prefix": "Nice 👩‍🔬 work 🎉: \u05d4\u05d1\u05e0\u05e7 ",
        "suffix": ", it said on Tuesday afternoon.",
    }
    assert quote["prefix"] + quote["exact"] + quote["suffix"] == TEXT


def test_each_span_of_a_revision_has_an_iri_of_its_own_that_stays() -> None:
    made = [web_annotation(ABOUT, place, CUT, "Act")["id"] for place in (0, 1, 0)]
    assert made[0] != made[1]
    assert made[0] == made[2]


def test_what_was_imported_beside_the_text_stands_with_its_resource() -> None:
    about = replace(ABOUT, meta={"party": "left", "seats": -3, "old": False, "tags": ["tax", 2], "none": None})
    made = web_annotation(about, 0, CUT, "Act")
    jsonschema.validate(made, MODEL)
    told = made["target"]["source"]["schema:additionalProperty"]
    assert {each["type"] for each in told} == {"schema:PropertyValue"}
    assert {each["schema:name"]: each["schema:value"] for each in told} == {
        "party": "left",
        "seats": -3,
        "old": False,
        "tags": '["tax", 2]',
        "none": None,
    }
    assert "schema:additionalProperty" not in web_annotation(ABOUT, 0, CUT, "Act")["target"]["source"]
