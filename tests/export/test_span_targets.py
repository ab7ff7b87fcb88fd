"""Targets by hand: which sentences go where, what is clipped, and where the spans lie in the joined text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.formats.text_form import parse
from annotation_app.export.spans.linear_form import ExportedSpan, linear_form
from annotation_app.export.spans.splits import SourceKey, split_of
from annotation_app.export.writers.targets import Target, targets_of
from tests.export.layers import MARKERS, at, layer
from tests.shared import shared_file

#       0         1         2         3         4
#       012345678901234567890123456789 0 12345678901234
TEXT = "🎉 It rose today. Why? It fell.\r\nIt met again."
FIRST, SECOND, THIRD = "It rose today.", "It fell.", "It met again."


def sentence(words: str) -> ExportedSpan:
    return at(TEXT, words, "std_sentence")


def by_hand(span: ExportedSpan) -> tuple[int, int, str]:
    return span.start, span.end, span.category


def test_it_joins_the_sentences_of_one_source_and_drops_what_stands_between() -> None:
    spans = [
        sentence(FIRST),
        at(TEXT, "today", "reference", source="press-1"),
        at(TEXT, "rose", "act", "Raised"),
        sentence(SECOND),
        at(TEXT, "fell", "reference", source="press-2"),
        sentence(THIRD),
        at(TEXT, "met", "reference", source="press-1"),
        at(TEXT, "Why?", "evidence"),
    ]
    first, second = targets_of(TEXT, spans, layer(), ["press-2", "press-1"])
    # In the order of the item's sources, not of the text.
    assert (first.source, first.text, first.ranges) == ("press-2", "It fell.", ((22, 30),))
    assert [by_hand(span) for span in first.spans] == [(0, 8, "std_sentence"), (3, 7, "reference")]
    assert (second.source, second.text) == ("press-1", "It rose today. It met again.")
    assert second.ranges == ((2, 16), (32, 45))
    assert second.spans == (
        ExportedSpan(0, 14, "std_sentence"),
        ExportedSpan(8, 13, "reference", source="press-1"),
        ExportedSpan(3, 7, "act", "Raised"),
        ExportedSpan(15, 28, "std_sentence"),
        ExportedSpan(18, 21, "reference", source="press-1"),
    )
    assert (second.sentences, second.clipped) == (2, 0)


def test_it_puts_sentences_without_a_link_last_under_no_source() -> None:
    spans = [sentence(FIRST), sentence(SECOND), at(TEXT, "fell", "reference", source="press-1")]
    linked, unlinked = targets_of(TEXT, spans, layer(), ["press-1"])
    assert (linked.source, linked.text) == ("press-1", SECOND)
    assert (unlinked.source, unlinked.text) == (None, FIRST)


def test_it_gives_a_sentence_of_two_sources_to_both() -> None:
    spans = [
        sentence(FIRST),
        at(TEXT, "rose", "reference", source="b"),
        at(TEXT, "today", "reference", source="a"),
    ]
    assert [(each.source, each.text) for each in targets_of(TEXT, spans, layer(), ["a", "b"])] == [
        ("a", FIRST),
        ("b", FIRST),
    ]


def test_a_link_outside_the_sentence_is_not_its_own() -> None:
    """The reference begins within the sentence and ends after it."""
    start = TEXT.index("today")
    spans = [sentence(FIRST), ExportedSpan(start, TEXT.index("Why?") + 4, "reference", source="a")]
    assert [each.source for each in targets_of(TEXT, spans, layer(), ["a"])] == [None]


def test_the_only_source_is_meant_where_no_category_refers() -> None:
    spans = [sentence(FIRST)]
    assert [each.source for each in targets_of(TEXT, spans, layer(refers=None), ["a"])] == ["a"]
    assert [each.source for each in targets_of(TEXT, spans, layer(refers=None), ["a", "b"])] == [None]


def test_there_are_none_without_a_target_category_or_without_sentences() -> None:
    assert targets_of(TEXT, [sentence(FIRST)], layer(target=None), []) == []
    assert targets_of(TEXT, [at(TEXT, "rose", "act")], layer(), []) == []


@pytest.mark.parametrize(
    ("words", "moved", "clipped"),
    [
        # One span stays one, over what the target holds of it.
        ("today. Why?", (8, 14), 1),
        ("rose today. Why? It", (3, 17), 1),
        ("Why? It fell.\r\nIt", (15, 23), 1),
        ("🎉 It", (0, 2), 1),
        ("fell.", (18, 23), 0),
    ],
)
def test_it_clips_spans_to_the_sentences(words: str, moved: tuple[int, int], clipped: int) -> None:
    """The target is "It rose today. It fell."."""
    spans = [sentence(FIRST), sentence(SECOND), at(TEXT, words, "evidence", "why")]
    (only,) = targets_of(TEXT, spans, layer(), [])
    assert only.text == "It rose today. It fell."
    assert [span for span in only.spans if span.category == "evidence"] == [ExportedSpan(*moved, "evidence", "why")]
    assert only.clipped == clipped


def test_it_holds_no_word_twice_where_sentences_overlap() -> None:
    spans = [sentence("It rose today. Why?"), sentence("today. Why? It fell."), sentence("Why?")]
    (only,) = targets_of(TEXT, spans, layer(), [])
    assert only == Target(
        source=None,
        text="It rose today. Why? It fell.",
        spans=(
            ExportedSpan(0, 19, "std_sentence"),
            ExportedSpan(8, 28, "std_sentence"),
            ExportedSpan(15, 19, "std_sentence"),
        ),
        ranges=((2, 30),),
        sentences=3,
        clipped=0,
    )


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[ExportedSpan]]:
    text = draw(st.text("ab 🎉\r\n", min_size=1, max_size=30))
    spans = []
    for start, length, category in draw(
        st.lists(
            st.tuples(st.integers(0, 29), st.integers(1, 12), st.sampled_from(["std_sentence", "reference", "act"]))
        )
    ):
        if start + length <= len(text):
            source = draw(st.sampled_from(["a", "b"])) if category == "reference" else None
            spans.append(ExportedSpan(start, start + length, category, None, source))
    return text, spans


@given(marked())
def test_a_target_holds_its_sentences_words_and_what_lies_in_them(given_: tuple[str, list[ExportedSpan]]) -> None:
    text, spans = given_
    targets = targets_of(text, spans, layer(), ["a", "b"])
    sentences = [span for span in spans if span.category == "std_sentence"]
    assert sum(each.sentences for each in targets) >= len(sentences)
    for each in targets:
        assert each.text == " ".join(text[start:end] for start, end in each.ranges)
        assert all(0 <= span.start < span.end <= len(each.text) for span in each.spans)
        # Those that are whole keep their words; the others are counted.
        inside = [
            span
            for span in spans
            if any(start <= span.start and span.end <= end for start, end in each.ranges)
            and (span.category != "std_sentence" or each.source in sources_by_hand(span, spans))
        ]
        words = sorted(text[span.start : span.end] for span in inside)
        assert len(each.spans) - each.clipped == len(words)
        found = [each.text[span.start : span.end] for span in each.spans]
        assert all(found.count(word) >= words.count(word) for word in words)


def sources_by_hand(sentence: ExportedSpan, spans: list[ExportedSpan]) -> set[str | None]:
    linked = {s.source for s in spans if s.source and sentence.start <= s.start and s.end <= sentence.end}
    return linked or {None}


def test_it_splits_as_the_paper_did() -> None:
    """1,678 source documents are 1,342, 167 and 169 (Table 1)."""
    split = split_of([SourceKey(f"source-{n}", False) for n in range(1678)], 0)
    counted = [list(split.values()).count(part) for part in ("train", "valid", "test")]
    assert counted == [1342, 167, 169]


@pytest.mark.parametrize(
    ("n", "parts"), [(0, (0, 0, 0)), (1, (0, 0, 1)), (5, (4, 0, 1)), (10, (8, 1, 1)), (19, (15, 1, 3))]
)
def test_it_rounds_down_and_leaves_the_rest_to_the_test(n: int, parts: tuple[int, int, int]) -> None:
    split = list(split_of([SourceKey(str(number), False) for number in range(n)], 3).values())
    assert tuple(split.count(part) for part in ("train", "valid", "test")) == parts


def test_the_split_is_that_of_the_hash_and_not_of_the_order() -> None:
    """By sha256("7:split:<id>"): e 50.., c 54.., d 71.., a 92.., b b6.. (computed with sha256sum)."""
    keys = [SourceKey(name, False) for name in "abcde"]
    assert split_of(keys, 7) == split_of(keys[::-1], 7)
    assert [key.id for key, part in split_of(keys, 7).items() if part == "test"] == ["b"]


def test_it_makes_the_papers_own_target() -> None:
    """Appendix D: three sentences that are one target, whose text form is the printed one."""
    folder = shared_file("semi-structured")
    example = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    linear = (folder / "example.txt").read_text(encoding="utf-8").rstrip("\n")
    keys = {marker: key for key, marker in MARKERS.items()}
    spans = [ExportedSpan(s["start"], s["end"], keys[s["category"]], s["comment"]) for s in example["spans"]]
    (only,) = targets_of(example["text"], spans, layer(), [])
    assert (only.text, only.spans, only.sentences) == (example["text"], tuple(spans), 3)
    assert linear_form(only.text, only.spans, layer()) == linear
    assert parse(linear).closed_correctly == 1.0
