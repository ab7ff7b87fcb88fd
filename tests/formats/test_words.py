"""Tokens and words in many scripts, against cuts made by hand."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from al_worker.formats.words import count_words, token_bounds, tokens, unicode_segments, words

SIGNS = st.one_of(
    st.sampled_from("ab1_.,:;'’ -\t\n\u00a0\u200b\u200d\ufeff央行のカーน้ำြមែ👩🔬🏽🇩🇪é\u0301"),
    st.characters(exclude_categories=["Cs"]),
)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Don't cost-cut 3.14 % of 1,000.", "Don't|cost|-|cut|3.14|%|of|1,000|."),
        ("see e.g. U.K. a_b", "see|e.g|.|U.K|.|a_b"),
        ("L’été «ok»", "L’été|«|ok|»"),
        ("央行宣布加息，市场。", "央|行|宣|布|加|息|，|市|场|。"),
        ("カタカナとひらがな", "カタカナ|と|ひ|ら|が|な"),
        ("ราคาน้ำ", "ร|า|ค|า|น้ำ"),
        ("ນ້ຳ", "ນ້ຳ"),
        ("ខ្មែរ", "ខ្មែ|រ"),
        ("한국어 단어", "한국어|단어"),
        ("हिन्दी क्षत्रिय।", "हिन्दी|क्षत्रिय|।"),
        ("ما هذا؟", "ما|هذا|؟"),
        ("👩‍🔬👍🏽🇩🇪🇫🇷 ok", "👩‍🔬|👍🏽|🇩🇪|🇫🇷|ok"),
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("a\u200bb\u00a0c \ufeff", "a|b|c"),
        ("10\u202f000\u202f€", "10|000|€"),
        ("", ""),
    ],
)
def test_it_cuts_as_by_hand(text: str, cut: str) -> None:
    assert tokens(text) == (cut.split("|") if cut else [])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("No. 3: cost-cutting — again", 5),
        ("央行宣布加息二十五个基点，市场普遍预期。", 18),
        ("GDP 增长 3 %", 5),
        ("ราคาน้ำ มัน", 7),
        ("한국어 단어", 2),
        ("。", 1),
        (" \t", 0),
    ],
)
def test_it_counts_words(text: str, number: int) -> None:
    assert count_words(text) == number


def test_words_hold_a_letter_or_a_digit() -> None:
    assert words("Rates, rose: ٣ — 4 % 👍 息！") == ["Rates", "rose", "٣", "4", "息"]


@given(st.text(SIGNS, max_size=40))
def test_tokens_keep_every_visible_sign_and_cut_no_character(text: str) -> None:
    bounds = token_bounds(text)
    assert all(start < end for start, end in bounds)
    assert bounds == sorted(bounds)
    covered = {place for start, end in bounds for place in range(start, end)}
    assert len(covered) == sum(end - start for start, end in bounds)
    assert all(regex.fullmatch(r"[\s\p{Cc}\p{Cf}]", text[at]) for at in range(len(text)) if at not in covered)
    characters = {found.start() for found in regex.finditer(r"\X", text)} | {len(text)}
    assert {place for pair in bounds for place in pair} <= characters


@given(st.text(st.characters(max_codepoint=127), max_size=30))
def test_ascii_is_cut_as_by_the_general_rules(text: str) -> None:
    general = [text[start:end] for start, end in unicode_segments(text)]
    assert tokens(text) == [part for part in general if not regex.fullmatch(r"[\s\p{Cc}]*", part)]


@given(st.text(st.sampled_from("ab é.,-ж \t\u00a0"), max_size=30))
def test_scripts_with_blanks_are_counted_by_white_space(text: str) -> None:
    assert count_words(text) == len(text.split())
