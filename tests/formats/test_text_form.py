"""Spans as text and back: the paper's example, hand-worked places, and any text whatever."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.formats.text_form import STYLES, Fault, Span, TextFormError, linearize, parse
from tests.shared import shared_file

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
# Texts made of what could be mistaken, so that every rule meets every other one.
TRICKY = st.lists(
    st.sampled_from(
        [
            "[ACT START]",
            "[ACT END]",
            "[ACT#2 END]",
            "<A_START>",
            "[A_END]",
            "[",
            "]",
            "(",
            ")",
            " (x)",
            "\\",
            " ",
            "\r\n",
            "é",
            "😀",
        ]
    )
).map("".join)
TEXTS = st.one_of(st.text(CHARACTERS), TRICKY)
CATEGORIES = st.sampled_from(["ACT", "ACTOR", "STD SENTENCE", "A_B", "motive", "THE END", "ЦЕЛЬ"])


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(TEXTS)
    places = st.integers(0, len(text))
    spans = []
    for start, end, category, comment in draw(
        st.lists(st.tuples(places, places, CATEGORIES, st.none() | TEXTS), max_size=8)
    ):
        spans.append(Span(min(start, end), max(start, end), category, comment))
    return text, spans


def span(start: int, end: int, category: str = "ACT", comment: str | None = None) -> Span:
    return Span(start, end, category, comment)


@given(annotated(), st.sampled_from(sorted(STYLES)))
def test_it_reads_back_whatever_it_wrote(given_: tuple[str, list[Span]], style: str) -> None:
    text, spans = given_
    parsed = parse(linearize(text, spans, style), style)
    assert parsed.text == text
    assert list(parsed.spans) == sorted(spans, key=lambda each: each.key)
    assert parsed.faults == ()
    assert parsed.closed_correctly == (1.0 if spans else None)


@given(TEXTS, st.sampled_from(sorted(STYLES)))
def test_it_reads_anything_without_an_exception(linear: str, style: str) -> None:
    parsed = parse(linear, style)
    assert all(0 <= each.start <= each.end <= len(parsed.text) for each in parsed.spans)


def test_it_writes_and_reads_the_papers_own_example() -> None:
    """Appendix D: ACT and ATTRIBUTION end together, and ACT, opened first, is closed first: the markers cross."""
    folder = shared_file("semi-structured")
    example = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    linear = (folder / "example.txt").read_text(encoding="utf-8").rstrip("\n")
    spans = [Span(**each) for each in example["spans"]]
    assert linearize(example["text"], spans) == linear
    parsed = parse(linear)
    assert (parsed.text, list(parsed.spans)) == (example["text"], sorted(spans, key=lambda each: each.key))


@pytest.mark.parametrize(
    ("text", "spans", "linear"),
    [
        ("abcd", [span(0, 4)], "[ACT START] abcd [ACT END]"),
        ("abcd", [span(1, 3, comment="why")], "a[ACT START] bc (why) [ACT END]d"),
        # The two readings of one plain text are told apart by a number, and only where a category overlaps itself.
        ("abcdef", [span(0, 4), span(2, 6)], "[ACT START] ab[ACT#2 START] cd [ACT END]ef [ACT#2 END]"),
        ("abcdef", [span(0, 6), span(2, 4)], "[ACT START] ab[ACT#2 START] cd [ACT#2 END]ef [ACT END]"),
        ("abcd", [span(0, 2), span(2, 4)], "[ACT START] ab [ACT END][ACT START] cd [ACT END]"),
        ("abcd", [span(0, 4, "ACTOR"), span(0, 4, "STD SENTENCE")],
         "[STD SENTENCE START] [ACTOR START] abcd [ACTOR END] [STD SENTENCE END]"),
        ("abcd", [span(1, 1)], "a[ACT START]  [ACT END]bcd"),
        ("a (b)", [span(0, 5)], r"[ACT START] a (b\) [ACT END]"),
        ("a (b)", [span(0, 5, comment="c (d)")], r"[ACT START] a (b) (c \(d\)) [ACT END]"),
        ("f(x)", [span(0, 4)], "[ACT START] f(x) [ACT END]"),
        ("see [THE END] of", [], r"see \[THE END] of"),
        ("a\\b", [span(2, 3)], r"a\\[ACT START] b [ACT END]"),
    ],
)  # fmt: skip
def test_it_writes_markers_by_the_rules(text: str, spans: list[Span], linear: str) -> None:
    assert linearize(text, spans) == linear
    assert linearize(text, spans[::-1]) == linear


def test_it_writes_three_styles() -> None:
    spans = [span(0, 2, "STD SENTENCE"), span(0, 2, "A_B")]
    assert linearize("ab", spans, "underscores") == "[STD_SENTENCE_START] [A__B_START] ab [A__B_END] [STD_SENTENCE_END]"
    assert linearize("ab", spans, "angle") == "<STD_SENTENCE_START> <A__B_START> ab <A__B_END> <STD_SENTENCE_END>"


def test_it_lists_the_faults_of_broken_text() -> None:
    """Three openings, one of them closed: a third. Offsets are those of the markers."""
    parsed = parse("x [ACT END] [ACT START] a [ACT START] b [ACT END] [ACTOR START] c")
    assert parsed.text == "x a b c"
    assert parsed.spans == (Span(4, 5, "ACT"),)
    assert parsed.faults == (Fault("unopened", "ACT", 2), Fault("reopened", "ACT", 26), Fault("unclosed", "ACTOR", 50))
    assert parsed.closed_correctly == pytest.approx(1 / 3)
    assert parse("no marker").closed_correctly is None


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (span(0, 9), "span 'ACT' 0 to 9: lies outside the text of 4 code points"),
        (span(3, 1), "span 'ACT' 3 to 1: ends before it starts"),
        (span(0, 1, "A]"), "in a category"),
        (span(0, 1, " A"), "in a category"),
    ],
)
def test_it_refuses_what_it_cannot_write(bad: Span, message: str) -> None:
    with pytest.raises(TextFormError, match=message.replace("]", r"\]")):
        linearize("abcd", [bad])
