"""Filters of sources against selections worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.recall import Recall
from al_worker.core.interpretation.filters.registry import FILTERS

# The target has three bigrams. The sentences have none, one, two and three of them.
GREEK = Source(
    sentences=("zeta eta", "alpha beta", "beta gamma delta", "alpha beta gamma delta"),
    lengths=(4, 4, 5, 12),
    targets=("alpha beta gamma delta",),
)
# Gains are 2/5, 3/10 and 1/4.
NEXT_TOO_LONG = Source(
    sentences=("a1 b1 c1", "c1 d1 e1 f1", "f1 g1"), lengths=(5, 10, 4), targets=("a1 b1 c1 d1 e1 f1 g1",)
)


def kept(name: str, source: Source, budget: int) -> list[int]:
    return FILTERS[name].keep(source, budget)


@pytest.mark.parametrize(
    ("sentences", "lengths", "budget", "numbers"),
    [
        (["a", "b", "c"], [5, 5, 5], 10, [0, 1]),
        (["a", "b", "c"], [5, 6, 1], 10, [0]),  # the first that overflows ends it
        (["a", "b", "a", "b", "c"], [3, 3, 3, 3, 3], 9, [0, 1, 4]),  # texts that are kept are passed over
        (["a", "b"], [20, 1], 10, [0]),
    ],
)
def test_lead_takes_the_first_sentences(
    sentences: list[str], lengths: list[int], budget: int, numbers: list[int]
) -> None:
    assert kept("lead", Source(tuple(sentences), tuple(lengths), ()), budget) == numbers


def test_the_oracle_takes_what_adds_most_for_its_tokens() -> None:
    """Gains for each token are 0, 1/4, 2/5 and 3/12. After sentence 2, sentence 1 adds one bigram more."""
    assert kept("oracle", GREEK, 5) == [2]
    assert kept("oracle", GREEK, 9) == [1, 2]
    # Nothing adds recall any more: filled from the top, until sentence 3 overflows.
    assert kept("oracle", GREEK, 13) == [0, 1, 2]
    assert kept("oracle", GREEK, 25) == [0, 1, 2, 3]


def test_the_oracle_goes_on_where_a_sentence_overflows() -> None:
    assert kept("oracle", NEXT_TOO_LONG, 10) == [0, 2]


def test_the_oracle_keeps_sentence_0_where_nothing_fits() -> None:
    assert kept("oracle", GREEK, 3) == [0]


def test_ties_go_to_the_earlier_sentence() -> None:
    """Three bigrams for fifteen tokens are as good as one for five, which rounded divisions do not always say."""
    words = " ".join(f"w{n}" for n in range(50))
    tied = Source(("w10 w11 w12 w13", "w30 w31"), (15, 5), (words,))
    assert kept("oracle", tied, 15) == [0]
    turned = Source(("w30 w31", "w10 w11 w12 w13"), (5, 15), (words,))
    assert kept("oracle", turned, 15) == [0]


def test_a_text_is_kept_once() -> None:
    twice = Source(("alpha beta", "alpha beta", "x"), (4, 4, 4), ("alpha beta", "alpha beta"))
    assert kept("oracle", twice, 12) == [0, 2]


def test_the_selection_ends_where_the_next_sentence_would_reach_the_budget() -> None:
    assert kept("oracle-selection", NEXT_TOO_LONG, 10) == [0]
    assert kept("oracle-selection", NEXT_TOO_LONG, 20) == [0, 1, 2]
    assert kept("oracle-selection", GREEK, 10) == [1, 2]
    # Nine tokens are not fewer than nine.
    assert kept("oracle-selection", GREEK, 9) == [2]


def test_the_selection_keeps_the_first_even_if_it_is_too_long_and_nothing_without_a_shared_bigram() -> None:
    assert kept("oracle-selection", GREEK, 2) == [2]
    assert kept("oracle-selection", Source(("x y",), (3,), ("a b",)), 10) == []


WORDS = st.lists(st.sampled_from(["rates", "rate", "rising", "rise", "the", "Fed", "3.5"]), max_size=12).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=3))
def test_the_recall_is_that_of_the_package(sentences: list[str], targets: list[str]) -> None:
    source = Source(tuple(sentences), (1,) * len(sentences), tuple(targets))
    recall = Recall(source)
    packaged = RougeScorer(["rouge2"], use_stemmer=True).score("\n".join(targets), "\n".join(sentences))
    total = max(1, recall.reference.total())
    assert recall.shared(range(len(sentences))) / total == pytest.approx(packaged["rouge2"].recall)


def gains(source: Source, kept: list[int], candidates: list[int]) -> list[tuple[float, int]]:
    """Give (minus the gain, number) of the sentences that add recall, by rouge-score alone, without rounding errors."""
    scorer = RougeScorer(["rouge2"], use_stemmer=True)

    def recall(numbers: list[int]) -> float:
        text = "\n".join(source.sentences[number] for number in sorted(numbers))
        return scorer.score("\n".join(source.targets), text)["rouge2"].recall

    found = [((recall([*kept, n]) - recall(kept)) / source.lengths[n], n) for n in candidates]
    return [(-round(gain, 12), n) for gain, n in found if round(gain, 12) > 0]


def oracle_again(source: Source, budget: int) -> list[int]:
    kept: list[int] = []

    def fits(n: int) -> bool:
        again = source.sentences[n] in {source.sentences[k] for k in kept}
        return not again and sum(source.lengths[k] for k in [*kept, n]) <= budget

    everything = range(len(source.sentences))
    while found := gains(source, kept, [n for n in everything if fits(n)]):
        kept.append(min(found)[1])
    for n in everything:
        if source.sentences[n] not in {source.sentences[k] for k in kept}:
            if not fits(n):
                break
            kept.append(n)
    return sorted(kept) or [0]


def selection_again(source: Source, budget: int) -> list[int]:
    kept: list[int] = []
    while found := gains(source, kept, [n for n in range(len(source.sentences)) if n not in kept]):
        number = min(found)[1]
        if sum(source.lengths[n] for n in [*kept, number]) >= budget:
            return sorted(kept) or [number]
        kept.append(number)
    return sorted(kept)


@given(
    st.lists(st.tuples(WORDS, st.integers(2, 20)), min_size=1, max_size=7),
    st.lists(WORDS, min_size=1, max_size=2),
    st.integers(1, 60),
)
def test_both_are_what_the_package_gives_step_by_step(
    sentences: list[tuple[str, int]], targets: list[str], budget: int
) -> None:
    texts, lengths = zip(*sentences, strict=True)
    source = Source(texts, lengths, tuple(targets))
    assert kept("oracle", source, budget) == oracle_again(source, budget)
    assert kept("oracle-selection", source, budget) == selection_again(source, budget)
