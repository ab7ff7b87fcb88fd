"""The paper's tables by hand, from five targets of three sources."""

import pytest

from annotation_app.dashboards.span_tables import (
    LengthRow,
    Moments,
    SourceFact,
    SplitRow,
    TargetFact,
    moments,
    tables,
)
from annotation_app.export.spans.splits import SourceKey

PRESS, SPEECH, OWN = SourceKey("press", False), SourceKey("speech", False), SourceKey("news", True)
# By sha256("3:split:<id>"): press 55.., news 8d.., speech 93..; of three sources two are for training, one for testing.
SOURCES = {PRESS: SourceFact(10, 200), SPEECH: SourceFact(4, 80), OWN: SourceFact(1, 20)}


def target(source: SourceKey, sentences: int, words: int, closed: float | None = 1.0, **counts: int) -> TargetFact:
    return TargetFact(source, sentences, words, 2 * sum(counts.values()), counts, closed)


TARGETS = [
    target(PRESS, 1, 10, std=1, act=1),
    target(PRESS, 3, 40, std=3, act=4),
    target(PRESS, 1, 10, std=1),  # a codebook without acts
    target(SPEECH, 2, 20, closed=0.5, std=2, act=1),
    target(OWN, 1, 20, closed=None, std=0, act=0),
]


def test_it_makes_the_tables() -> None:
    made = tables(TARGETS, SOURCES, ["std", "act", "scope"], 3)
    assert made.splits == [
        SplitRow("train", 2, 4, 2.0, 3),
        SplitRow("valid", 0, 0, None, None),
        SplitRow("test", 1, 1, 1.0, 1),
        SplitRow("all", 3, 5, pytest.approx(5 / 3), 3),
    ]
    # Sentences 10, 4, 1: mean 5, squares 25 + 1 + 16 = 42, over two 21. Words 200, 80, 20: 10,000 + 400 + 6,400.
    ten_four_one, words = Moments(3, 5.0, pytest.approx(21**0.5)), Moments(3, 100.0, pytest.approx(8400**0.5))
    # Of targets, sentences 1, 3, 1, 2, 1; words 10, 40, 10, 20, 20; markers 4, 14, 2, 6, 0: tokens 14, 54, 12, 26, 20.
    assert made.lengths == [
        LengthRow("sentences", ten_four_one, Moments(5, pytest.approx(1.6), pytest.approx(0.8**0.5))),
        LengthRow("words", words, Moments(5, 20.0, pytest.approx(150**0.5))),
        LengthRow("markers", None, Moments(5, pytest.approx(5.2), pytest.approx(29.2**0.5))),
        LengthRow("tokens", words, Moments(5, pytest.approx(25.2), pytest.approx(289.2**0.5))),
    ]
    assert [(row.key, row.count) for row in made.counts] == [
        ("std", Moments(5, pytest.approx(1.4), pytest.approx(1.3**0.5))),
        ("act", Moments(4, 1.5, pytest.approx(3**0.5))),
        ("scope", Moments(0, None, None)),
    ]
    assert made.closed_correctly == Moments(4, 0.875, 0.25)
    # Of 1, 1, 1, 1/2 the squares about the mean sum to 3/16: by 3 for the sample, by 4 for the population.
    assert made.closed_correctly.population_sd == pytest.approx((3 / 64) ** 0.5)
    assert [Moments(1, 2.0, None).population_sd, Moments(0, None, None).population_sd] == [0.0, None]


def test_it_makes_empty_tables() -> None:
    made = tables([], {}, ["std"], 0)
    assert made.splits == [SplitRow(name, 0, 0, None, None) for name in ("train", "valid", "test", "all")]
    assert made.closed_correctly == made.counts[0].count == Moments(0, None, None)


def test_one_value_has_no_spread() -> None:
    assert moments([4]) == Moments(1, 4.0, None)
