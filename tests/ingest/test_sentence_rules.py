"""Sentences as a reader would cut them: quotation marks, abbreviations, headings and scripts without blanks."""

import functools

import pytest

from annotation_app.ingest.sentence_rules import sentences
from annotation_app.ingest.splitter import Splitter, SplitterMissing


@functools.cache
def splitter(name: str) -> Splitter:
    """Made once, and not while tests are collected: spaCy takes seconds to load."""
    return Splitter(name)


def cut(text: str, name: str = "blank") -> list[str]:
    return [text[start:end] for start, end in splitter(name).bounds([text])[0]]


@pytest.mark.parametrize(
    "parts",
    [
        ["This is a sentence.", '"Don\'t worry!", he said.', "See fig. 3 vs. fig. 4, i.e. the U.K. plot."],
        ['He asked, "Is it over?"', '"Yes."', '"no way!" said Bob.'],
        ["“Why?” she asked.", "“Because.”", "(See fig. 2.)", "Then it ended."],
        ["Smith et al. (2020) found it.", "Prof. Lee agreed, cf. Table 2."],
        ["J. Powell spoke in the U.S.", "The Fed met at 2 p.m.", "It rose."],
        ["The answer is no.", "People left.", "See No. 5 and pp. 3 to 9."],
    ],
)
def test_english(parts: list[str]) -> None:
    assert cut(" ".join(parts)) == parts


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("de", ["Am 3. März kam Dr. Meier z. B. nach S. 4.", "„Hallo!“, rief er.", "„Nein.“", "Ende."]),
        ("de", ["Siehe Abb. 3 bzw. Tab. 4.", "Das kostet ca. 5 Euro."]),
        ("fr", ["Il dit : « Bonjour. »", "Elle part.", "« Non ! » dit-il.", "M. Dupont, cf. p. 3.", "Fin."]),
        ("es", ["¿Qué pasa?", "¡Nada!", "El Sr. García vio la fig. 3.", "Fin."]),
        ("xx", ["क्या हुआ?", "वह गया।", "फिर आया।"]),
        ("xx", ["ماذا؟", "نعم۔", "ثم"]),
    ],
)
def test_other_languages(language: str, parts: list[str]) -> None:
    assert cut(" ".join(parts), f"blank:{language}") == parts


@pytest.mark.parametrize("name", ["blank", "blank:xx", "blank:zh"])
def test_scripts_that_set_no_blanks(name: str) -> None:
    parts = ["市场上涨。", "央行加息！", "“真的？”", "他说：“好。”", "然后呢"]
    assert cut("".join(parts), name) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Introduction\n\nText one. Text two", ["Introduction", "Text one.", "Text two"]),
        ("Monetary Policy Report\nThe economy grew in the\nthird quarter.", None),
        ("One line\r\n \t\r\nanother", ["One line", "another"]),
        ("# Data\nWe use it.", ["# Data", "We use it."]),
        ("It follows:\n1. First\n2. Second\n- Third", ["It follows:", "1. First", "2. Second", "- Third"]),
        (
            "The Board of Governors met in\nWashington on Tuesday.",
            ["The Board of Governors met in\nWashington on Tuesday."],
        ),
    ],
)
def test_blank_lines_headings_and_lists(text: str, parts: list[str] | None) -> None:
    assert cut(text) == (parts or ["Monetary Policy Report", "The economy grew in the\nthird quarter."])


def test_the_papers_sentencizer_is_there_by_name() -> None:
    text = 'See fig. 3. "Don\'t!", he said.'
    assert cut(text, "sentencizer") == ["See fig.", '3. "', "Don't!\",", "he said."]
    assert "rules" not in splitter("sentencizer").record()
    assert splitter("blank:de").record()["language"] == "de"


def test_a_language_without_tokenizer_is_refused() -> None:
    with pytest.raises(SplitterMissing, match="blank:xx"):
        Splitter("blank:qq")


@pytest.mark.parametrize("piece", ["Word one. ", "line\n", " ", "\n", '"', "a. ", ".", "\n   "])
def test_long_texts_are_cut_whole(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    found = sentences(text, range(0, len(text), 7), "en")
    assert sum(end - start for start, end in found) >= len("".join(text.split()))
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in found)
