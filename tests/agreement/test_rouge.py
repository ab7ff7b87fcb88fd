"""ROUGE-L against values worked by hand and against the package rouge-score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

from al_worker.formats.words import words
from annotation_app.agreement.rouge import rouge_l

WORDS = st.lists(st.sampled_from(["the", "Rates", "rose", "x2", "rates,", "--", "a_b", "Don't"]), max_size=70)


class Cut(Tokenizer):
    """The package's own cut knows ASCII alone, and cuts "3.5" and "isn't"."""

    def tokenize(self, text: str) -> list[str]:
        return words(text.lower())


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        # Lin 2004, section 3.1: three of four words in order for the first, two for the second.
        ("police killed the gunman", "police kill the gunman", 6 / 8),
        ("police killed the gunman", "the gunman kill police", 4 / 8),
        ("Rates rose.", "rates, ROSE", 1),
        ("Größe zählt", "größe", 2 / 3),
        ("利率", "利率", 1),
        ("利率", "汇率", 1 / 2),
        ("It isn't 3.5", "isn't 3.5 it", 2 / 3),
        ("rates", "?", 0),
        ("👍", "👍", None),
    ],
)
def test_it_gives_the_worked_values(one: str, other: str, value: float | None) -> None:
    assert rouge_l(one, other) == value
    assert rouge_l(other, one) == value


@given(WORDS, WORDS)
def test_it_is_what_the_package_gives_with_the_same_words(one: list[str], other: list[str]) -> None:
    found = rouge_l(" ".join(one), " ".join(other))
    packaged = RougeScorer(["rougeL"], tokenizer=Cut()).score(" ".join(one), " ".join(other))["rougeL"].fmeasure
    # The package has 0 where neither text has a word.
    assert (found or 0) == pytest.approx(packaged, abs=1e-12)
