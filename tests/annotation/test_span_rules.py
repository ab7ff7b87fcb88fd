"""What may be marked: ranges, quotes, comments, sources, scopes, and how often."""

import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation_app.annotation.span_rules import SpanText, errors_by_path, spans_read
from annotation_app.codebook.definition import parse_definition
from annotation_app.codebook.spans import MOST_SPANS, SpanLayer
from tests.spans import category, loose_codebook, span, span_codebook

TEXT = "The board eased in May because trade fell, the minutes say. Nobody asked why."
FIRST, SECOND = TEXT[:59], TEXT[60:]
SOURCE, OTHER = uuid4(), uuid4()
SCREENS = json.loads((Path(__file__).parents[2] / "frontend/src/test/spanFaults.json").read_text(encoding="utf-8"))


def layer_of(definition: dict[str, Any]) -> SpanLayer:
    layer = parse_definition(definition).span_layer
    assert layer is not None
    return layer


def checked(sent: list[Any], text: str = TEXT, definition: dict[str, Any] | None = None) -> dict[str, str]:
    """{path: kind}; every path has one fault here."""
    _, faults = spans_read(layer_of(definition or span_codebook()), text, sent, {SOURCE})
    assert len(errors_by_path(faults)) == len(faults)
    return {fault.path: fault.kind for fault in faults}


def marked() -> list[dict[str, Any]]:
    """Everything in order: one sentence with its act, evidence and reference."""
    return [
        span(TEXT, FIRST, "sentence"),
        span(TEXT, "eased in May", "act", "Loosened policy"),
        span(TEXT, "trade fell", "evidence"),
        span(TEXT, "minutes", "reference", source=SOURCE),
    ]


def changed(place: int, **changes: Any) -> list[dict[str, Any]]:
    sent = marked()
    sent[place] |= changes
    return sent


def test_it_takes_what_is_in_order_and_puts_it_into_text_order() -> None:
    spans, faults = spans_read(layer_of(span_codebook()), TEXT, marked()[::-1], {SOURCE})
    assert faults == []
    assert spans == [
        SpanText(0, 59, FIRST, "sentence"),
        SpanText(10, 22, "eased in May", "act", "Loosened policy"),
        SpanText(31, 41, "trade fell", "evidence"),
        SpanText(47, 54, "minutes", "reference", "", SOURCE),
    ]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (changed(1, comment=None), {"spans[1].comment": "comment_missing"}),
        (changed(1, comment=" \t"), {"spans[1].comment": "comment_missing"}),
        (changed(0, comment="hm"), {"spans[0].comment": "comment_refused"}),
        (changed(2, comment="x" * 10_001), {"spans[2].comment": "comment_text"}),
        (changed(2, comment="a\ud800"), {"spans[2].comment": "comment_text"}),
        (changed(2, comment="a\x00"), {"spans[2].comment": "comment_text"}),
        (changed(2, quote="trade rose"), {"spans[2].quote": "quote"}),
        (changed(2, category="motive"), {"spans[2].category": "category"}),
        (changed(2, category="\ud800"), {"spans[2].category": "category"}),
        (changed(2, end=31), {"spans[2]": "range"}),
        (changed(2, start=-1), {"spans[2]": "range"}),
        (changed(2, end=len(TEXT) + 1), {"spans[2]": "range"}),
        (changed(2, start=True), {"spans[2].start": "shape"}),
        (changed(2, start=3.0), {"spans[2].start": "shape"}),
        (changed(2, comment=3), {"spans[2].comment": "shape"}),
        (changed(2, note="x"), {"spans[2].note": "shape"}),
        ([*marked(), "trade"], {"spans[4]": "shape"}),
        ([*marked(), marked()[2]], {"spans[4]": "twice"}),
        (changed(3, source=None), {"spans[3].source": "source_missing"}),
        (changed(3, source=str(OTHER)), {"spans[3].source": "source_unknown"}),
        (changed(3, source="minutes"), {"spans[3].source": "source_unknown"}),
        (changed(2, source=str(SOURCE)), {"spans[2].source": "source_refused"}),
        ([*marked(), span(TEXT, "asked", "evidence")], {"spans[4]": "outside"}),
        # It begins inside the sentence and ends outside.
        ([*marked(), span(TEXT, "say. Nobody", "evidence")], {"spans[4]": "outside"}),
        ([*marked(), span(TEXT, SECOND, "sentence")], {"spans[4]": "missing"}),
        ([*marked(), span(TEXT, "The board", "act", "x")], {"spans[0]": "too_many"}),
        ([], {"spans": "missing"}),
        (marked()[:1], {"spans[0]": "missing"}),
    ],
)
def test_it_names_what_is_wrong_and_where(sent: list[Any], expected: dict[str, str]) -> None:
    assert checked(sent) == expected


def test_an_empty_comment_is_none_and_the_same_range_may_be_marked_again() -> None:
    sent = [
        span(TEXT, "trade fell", "a", ""),
        span(TEXT, "trade fell", "b", " \n\t"),
        span(TEXT, "trade fell", "a", "another"),
        span(TEXT, "because trade", "a"),
        span(TEXT, "fell, the", "a"),
    ]
    spans, faults = spans_read(layer_of(loose_codebook()), TEXT, sent, set())
    assert faults == []
    assert [(one.start, one.end, one.category, one.comment) for one in spans] == [
        (23, 36, "a", ""),
        (31, 41, "a", ""),
        (31, 41, "a", "another"),
        (31, 41, "b", ""),
        (37, 46, "a", ""),
    ]


def test_without_sources_a_reference_links_to_none() -> None:
    layer = layer_of(span_codebook())
    assert spans_read(layer, TEXT, changed(3, source=None), set())[1] == []
    (fault,) = spans_read(layer, TEXT, marked(), set())[1]
    assert (fault.kind, fault.path) == ("source_unknown", "spans[3].source")


def test_the_messages_name_the_place_and_the_mend() -> None:
    _, faults = spans_read(layer_of(span_codebook()), TEXT, [*marked(), span(TEXT, SECOND, "sentence")], {SOURCE})
    assert [fault.message for fault in faults] == ["Sentence “Nobody asked why.” has no Act yet."]
    _, faults = spans_read(layer_of(span_codebook()), TEXT, changed(2, quote="trade rose"), {SOURCE})
    message = "The text at 31 to 41 is “trade fell”, not “trade rose”. Offsets count Unicode code points."
    assert [fault.message for fault in faults] == [message]
    _, faults = spans_read(layer_of(span_codebook()), TEXT, changed(2, category="motive"), {SOURCE})
    assert [fault.message for fault in faults] == [
        "“trade fell” has the unknown category “motive”. Categories here: sentence, act, evidence, reference."
    ]
    _, faults = spans_read(layer_of(span_codebook()), TEXT, changed(3, source="minutes"), {SOURCE})
    assert [fault.message for fault in faults] == [
        "The source of “minutes” must be the id of one of the item's source documents."
    ]


@pytest.mark.parametrize("case", SCREENS["cases"], ids=lambda case: case["name"])
def test_it_says_what_the_screen_says(case: dict[str, Any]) -> None:
    """The screen's rules are tested on the same cases."""
    layer = layer_of({"name": "Screen", "span_layer": SCREENS["layers"][case["layer"]]})
    text = SCREENS["text"]
    sent = [one | {"quote": text[one["start"] : one["end"]]} for one in case["spans"]]
    _, faults = spans_read(layer, text, sent, [UUID(source) for source in case["sources"]])
    found = [[fault.kind, place_of(fault.path), fault.message] for fault in faults]
    assert found == case["faults"]


def place_of(path: str) -> int | None:
    """spans[3].comment -> 3; of the whole text there is none."""
    found = re.match(r"spans\[(\d+)\]", path)
    return int(found[1]) if found else None


def test_more_spans_than_a_page_can_show_are_refused() -> None:
    sent = [span(TEXT, "trade", "a", str(place)) for place in range(MOST_SPANS + 1)]
    assert checked(sent, definition=loose_codebook()) == {"spans": "shape"}
    assert checked(sent[:-1], definition=loose_codebook()) == {}


@pytest.mark.parametrize(
    ("text", "quote", "start", "end"),
    [
        ("Nice \U0001f469\u200d\U0001f52c work \U0001f389 but the grant was cut", "grant", 24, 29),
        ("First point.\r\n\r\nSecond point: costs rise.", "costs rise", 30, 40),
        ("a\t b  c\n\nd", "\n\n", 7, 9),
        ("e\u0301te\u0301 chaud", "te\u0301", 2, 5),
        ("\u0628\u0646\u06a9 \u0645\u0631\u06a9\u0632\u06cc 5%", "\u0645\u0631\u06a9\u0632\u06cc", 4, 9),
    ],
)
def test_offsets_count_code_points_of_the_text_as_imported(text: str, quote: str, start: int, end: int) -> None:
    sent = span(text, quote, "a")
    assert (sent["start"], sent["end"]) == (start, end)
    assert checked([sent], text, loose_codebook()) == {}
    # What a count of UTF-16 units would have sent.
    units = len(text[:start].encode("utf-16-le")) // 2
    if units != start:
        assert set(checked([sent | {"start": units, "end": units + len(quote)}], text, loose_codebook())) <= {
            "spans[0]",
            "spans[0].quote",
        }


RANGES = st.tuples(st.integers(0, 30), st.integers(1, 12), st.sampled_from(["outer", "inner"]))


@settings(max_examples=200)
@given(st.lists(RANGES, max_size=12, unique=True))
def test_counting_in_scopes_is_what_looking_at_every_pair_gives(ranges: list[tuple[int, int, str]]) -> None:
    text = "x" * 50
    definition = {
        "name": "Scopes",
        "span_layer": {
            "categories": [category("outer"), category("inner", at_least=1, at_most=2, within="outer")],
        },
    }
    sent = [span(text, "x" * length, key, start=start) for start, length, key in ranges]
    found = sorted((fault.kind, fault.path) for fault in spans_read(layer_of(definition), text, sent, set())[1])
    outer = {place: one for place, one in enumerate(sent) if one["category"] == "outer"}
    inner = {place: one for place, one in enumerate(sent) if one["category"] == "inner"}

    def holds(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return bool(one["start"] <= other["start"] and other["end"] <= one["end"])

    expected = [
        ("outside", f"spans[{at}]") for at, one in inner.items() if not any(holds(o, one) for o in outer.values())
    ]
    for place, one in outer.items():
        count = sum(holds(one, other) for other in inner.values())
        if count != min(max(count, 1), 2):
            expected.append(("missing" if count < 1 else "too_many", f"spans[{place}]"))
    assert found == sorted(expected)


def test_sources_are_compared_as_ids_however_they_are_written() -> None:
    loud = str(SOURCE).upper()
    spans, faults = spans_read(layer_of(span_codebook()), TEXT, changed(3, source=loud), {SOURCE})
    assert (faults, spans[3].source) == ([], UUID(loud))
