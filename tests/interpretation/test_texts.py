"""The text form taken apart: sentences, with markers as words or without them."""

import pytest

from al_worker.core.interpretation.texts import sentences_with_markers, sentences_without_markers, without_markers
from al_worker.formats.text_form import Place, Span, linearize, linearize_located

TWO = (
    "[STD SENTENCE START] It [ACT START] cut  rates (Cut) [ACT END]. [STD SENTENCE END] "
    "[STD SENTENCE START] It [ACT#2 START] rose [ACT#2 END] [STD SENTENCE END]"
)


def test_markers_become_one_word_each_or_go() -> None:
    assert sentences_with_markers(TWO) == [
        "[STDSENTENCESTART] It [ACTSTART] cut rates (Cut) [ACTEND] . [STDSENTENCEEND]",
        "[STDSENTENCESTART] It [ACTSTART] rose [ACTEND] [STDSENTENCEEND]",
    ]
    assert sentences_without_markers(TWO) == ["It cut rates (Cut) .", "It rose"]
    assert without_markers(TWO) == "It cut rates (Cut) . It rose"


@pytest.mark.parametrize(
    ("style", "linear"),
    [
        ("spaces", "[STD SENTENCE START] a [STD SENTENCE END] b"),
        ("underscores", "[STD_SENTENCE_START] a [STD_SENTENCE_END] b"),
        ("angle", "<STD_SENTENCE_START> a <STD_SENTENCE_END> b"),
    ],
)
def test_every_style_is_read_and_what_follows_a_sentence_is_one(style: str, linear: str) -> None:
    assert sentences_without_markers(linear, style) == ["a", "b"]
    assert sentences_with_markers(linear, style) == ["[STDSENTENCESTART] a [STDSENTENCEEND]", "b"]


def test_broken_markers_and_other_holding_categories() -> None:
    assert sentences_without_markers("a [X END] b [Y START]") == ["a b"]
    assert sentences_without_markers("[STD SENTENCE START] a [STD SENTENCE START] b") == ["a", "b"]
    assert sentences_without_markers("[X START] a [X END] b [std_sentence END] c", outer=["x"]) == ["a", "b c"]
    assert sentences_without_markers(" ") == []


def test_what_only_looks_like_a_marker_stays() -> None:
    linear = linearize("see [ACT END] here", [])
    assert linear == r"see \[ACT END] here"
    assert without_markers(linear) == "see [ACT END] here"


def test_the_place_of_a_span_in_the_text_form() -> None:
    """[A START] xy (c) [A END]: the start marker ends at 9, the words at 12, and the end marker begins at 17."""
    linear, found = linearize_located("xy", [Span(0, 2, "A", "c")])
    assert linear == "[A START] xy (c) [A END]"
    assert found == [(Span(0, 2, "A", "c"), Place(0, 9, 12, 17))]
    crossing = [Span(0, 3, "A", "c"), Span(2, 3, "B", "d")]
    linear, found = linearize_located("a b", crossing)
    assert linear == "[A START] a [B START] b (c) [A END] (d) [B END]"
    assert [linear[place.words : place.words_end].strip() for _, place in found] == ["a [B START] b", "b (c) [A END]"]
    assert [linear[place.end :] for _, place in found] == ["[A END] (d) [B END]", "[B END]"]
